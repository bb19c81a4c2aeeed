/** Kinds of decisions as players speak of them; the rest are plain words already. */
export const KINDS: Record<string, string> = {
  activate: "choosing a brigade", advance: "advancing", arrivals: "bringing on troops", attach: "attaching commanders", bombard: "firing guns",
  "cavalry-retreat": "slipping away with cavalry", charge: "charging", check: "checking morale", declare: "choosing when to act", designate: "choosing whom to attack", engage: "choosing the next fight",
  fire: "firing", follow: "following up", initiative: "settling who goes first", lead: "choosing who leads", leader: "moving generals", march: "marching", melee: "fighting hand to hand",
  move: "moving", order: "giving orders", organize: "digging in", place: "placing units", rally: "rallying", react: "reacting", reaction: "reacting", reform: "reforming", reroll: "rolling again",
  resolve: "choosing the next fight", retreat: "retreating", ride: "moving commanders", shoot: "shooting", split: "sharing out fire", tactic: "choosing a tactic", tide: "rolling again", volley: "joining a fire",
  withdraw: "withdrawing", withdrawal: "withdrawing",
};
