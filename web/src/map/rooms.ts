/** What panels leave free of a window: the largest rectangles without any of them. */

export interface Room {
  x: number;
  y: number;
  w: number;
  h: number;
}

const holds = (a: Room, b: Room) => b.x >= a.x && b.y >= a.y && b.x + b.w <= a.x + a.w && b.y + b.h <= a.y + a.h;

const meets = (a: Room, b: Room) => b.x < a.x + a.w && b.x + b.w > a.x && b.y < a.y + a.h && b.y + b.h > a.y;

/** What a cover leaves of a room: its parts to the left, above, to the right and below, as large as they can be. */
function leaves(room: Room, cover: Room): Room[] {
  if (!meets(room, cover)) return [room];
  const [right, bottom] = [room.x + room.w, room.y + room.h];
  return [
    { ...room, w: cover.x - room.x },
    { ...room, h: cover.y - room.y },
    { ...room, x: cover.x + cover.w, w: right - cover.x - cover.w },
    { ...room, y: cover.y + cover.h, h: bottom - cover.y - cover.h },
  ].filter((r) => r.w > 0 && r.h > 0);
}

export function freeRooms(window: Room, covers: Room[]): Room[] {
  return covers.reduce<Room[]>((rooms, cover) => {
    const parts = rooms.flatMap((room) => leaves(room, cover));
    return parts.filter((a, i) => !parts.some((b, j) => i !== j && holds(b, a) && (!holds(a, b) || j < i)));
  }, [window]);
}

/** Whether a room lies clear of all covers, inside the window. */
export const clear = (room: Room, window: Room, covers: Room[]): boolean => holds(window, room) && !covers.some((cover) => meets(room, cover));
