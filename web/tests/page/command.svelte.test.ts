import { describe, expect, test, vi } from "vitest";
import { Command } from "../../src/lib/command.svelte";
import { GameSession } from "../../src/lib/session.svelte";
import type { Offer, Piece, Position } from "../../src/wire";

const piece = (id: number, hex: string) => ({ id, side: id === 9 ? "second" : "first", place: { hex }, name: `p${id}` }) as unknown as Piece;
const offer = (action: string, o: Partial<Offer>) => ({ action, label: action, verb: action.split(" ")[0], piece: 1, place: null, targets: [], shares: [], path: [], notes: [], cost: null, button: false, rolls: false, ...o }) as unknown as Offer;
const march = (hex: string) => offer(`march p1 ${hex}`, { place: { hex } });
const fire = offer("fire p1 p9", { targets: [9] });

function hand(offers: Offer[]) {
  const session = new GameSession("g");
  session.side = "first";
  session.position = { state: 1, moment: 1, at: 1, offers, status: { kind: "deciding", side: "first" }, view: { pieces: [piece(1, "0101"), piece(2, "0301"), piece(9, "0105")] } } as unknown as Position;
  return new Command(session);
}

describe("the cursor of the keyboard", () => {
  test("leaves a choice behind when it goes elsewhere", () => {
    const command = hand([march("0102"), march("0103"), fire]);
    command.pick(1);
    command.choose(march("0102"));
    command.walkTo("0102");
    expect(command.chosen?.action).toBe("march p1 0102");
    command.walkTo("0103");
    expect(command.chosen).toBeUndefined();
  });
  test("keeps a choice of the target it stands on, and one that has no place", () => {
    const command = hand([fire, offer("hold p1", {})]);
    command.choose(fire);
    command.walkTo("0105");
    expect(command.chosen?.action).toBe("fire p1 p9");
    command.choose(offer("hold p1", {}));
    command.walkTo("0301");
    expect(command.chosen?.action).toBe("hold p1");
  });
});

describe("empty hands", () => {
  test("know the one piece that all of it would be done to", () => {
    const two = offer("fire p2 p9", { piece: 2, targets: [9] });
    expect(hand([fire, two]).subject).toBe(9);
    expect(hand([fire, march("0102"), two]).subject).toBeUndefined();
    const command = hand([fire, two]);
    command.pick(1);
    expect(command.subject).toBeUndefined();
  });
});

describe("a unit in hand", () => {
  test("asks the rules why it cannot go where a friend stands, and is not put down", async () => {
    const act = vi.spyOn(GameSession.prototype, "act").mockResolvedValue(false);
    const command = hand([march("0102")]);
    command.pick(1);
    await command.touch("0301");
    expect(act).toHaveBeenCalledWith("march p1 0301", "0301");
    expect(command.picked).toBe(1);
    act.mockRestore();
  });
});

describe("one thing to do", () => {
  const done = offer("done", { piece: null, button: true });
  test("lies ready, with a button beside it to decline", () => {
    const command = hand([offer("rally p1", {}), done]);
    command.settle();
    expect(command.brass?.action).toBe("rally p1");
  });
  test("is not chosen among several, and a charge is aimed first", () => {
    const several = hand([offer("rally p1", {}), offer("rally p2", { piece: 2 }), done]);
    several.settle();
    expect(several.chosen).toBeUndefined();
    const charge = hand([offer("charge p1 at p9", { targets: [9], rolls: true, place: { pose: { x: 0, y: 0, facing: 0 } } }), done]);
    charge.settle();
    expect(charge.chosen).toBeUndefined();
  });
});

describe("several units at once", () => {
  test("go on when what the first has rolled was read", async () => {
    const rally = [1, 2].map((id) => offer(`rally p${id}`, { piece: id }));
    const act = vi.spyOn(GameSession.prototype, "act").mockResolvedValue(true);
    const command = hand(rally);
    let read = (): void => undefined;
    command.read = () => (act.mock.calls.length === 0 ? Promise.resolve() : new Promise<void>((done) => (read = done)));
    const all = command.goAll({ verb: "rally", label: "Rally: all 2", pieces: [1, 2] });
    await vi.waitFor(() => expect(act).toHaveBeenCalledTimes(1));
    await new Promise((done) => setTimeout(done));
    expect(act).toHaveBeenCalledTimes(1);
    read();
    await all;
    expect(act.mock.calls.map(([action]) => action)).toEqual(["rally p1", "rally p2"]);
    act.mockRestore();
  });
});

describe("what can be done at a hex besides marching there", () => {
  const way = (hex: string) => offer(`march p1 ${hex}`, { place: { hex }, path: [{ hex: "0101" }, { hex }] as Offer["path"], cost: "1" });
  const dismount = (hex: string) => offer(`dismount p1 ${hex}`, { place: { hex }, cost: "3" });
  test("is asked for by its kind, and then the hex means it", async () => {
    const command = hand([way("0102"), dismount("0102"), dismount("0103")]);
    command.pick(1);
    expect(command.kinds).toEqual(["dismount"]);
    await command.touch("0102");
    expect(command.chosen?.action).toBe("march p1 0102");
    command.want("dismount");
    expect([...command.goals.keys()]).toEqual(["0102", "0103"]);
    await command.touch("0102");
    expect(command.chosen?.action).toBe("dismount p1 0102");
    command.cancel();
    command.cancel();
    expect(command.kind).toBeUndefined();
    expect(command.picked).toBe(1);
  });
  test("needs no asking where nobody marches", () => {
    const command = hand([dismount("0102")]);
    command.pick(1);
    expect(command.kinds).toEqual([]);
  });
});
