/** What went wrong on the way to a board, for the board to say. */
export const arrival: { notice?: string } = {};
