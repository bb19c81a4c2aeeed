/** A voice that leads for a while, a lesson or a coach, and what it puts into the prompt. */
export interface Deed {
  label: string;
  key?: string;
  act: () => void;
}

export interface Lead {
  /** The one brass button, which Enter presses. */
  main?: Deed;
  /** What stands beside it. */
  beside: Deed[];
}
