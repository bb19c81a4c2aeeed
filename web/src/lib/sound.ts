/** Quiet, dry sounds made on the spot: wood, paper, a drum, a far volley, a dull click. One at a time. */
export type Sound = "set" | "paper" | "drum" | "volley" | "refused";

let context: AudioContext | undefined;
let last = 0;

function noise(ctx: AudioContext, seconds: number): AudioBufferSourceNode {
  const buffer = ctx.createBuffer(1, Math.ceil(ctx.sampleRate * seconds), ctx.sampleRate);
  const data = buffer.getChannelData(0);
  let seed = 7;
  for (let i = 0; i < data.length; i++) {
    seed = (Math.imul(seed, 1664525) + 1013904223) | 0;
    data[i] = seed / 2147483648;
  }
  const node = ctx.createBufferSource();
  node.buffer = buffer;
  return node;
}

const SHAPES: Record<Sound, { tone?: number; filter: number; q: number; seconds: number; gain: number }> = {
  set: { tone: 190, filter: 900, q: 3, seconds: 0.07, gain: 0.22 },
  paper: { filter: 3200, q: 0.7, seconds: 0.14, gain: 0.08 },
  drum: { tone: 86, filter: 240, q: 2, seconds: 0.28, gain: 0.34 },
  volley: { filter: 700, q: 0.5, seconds: 0.29, gain: 0.16 },
  refused: { tone: 120, filter: 300, q: 1, seconds: 0.06, gain: 0.2 },
};

export function play(sound: Sound): void {
  try {
    context ??= new AudioContext();
    const ctx = context;
    const now = ctx.currentTime;
    if (now < last) return;
    const { tone, filter, q, seconds, gain } = SHAPES[sound];
    last = now + seconds;
    const out = ctx.createGain();
    out.gain.setValueAtTime(gain, now);
    out.gain.exponentialRampToValueAtTime(0.0001, now + seconds);
    out.connect(ctx.destination);
    const band = ctx.createBiquadFilter();
    band.type = "bandpass";
    band.frequency.value = filter;
    band.Q.value = q;
    band.connect(out);
    const hiss = noise(ctx, seconds);
    hiss.connect(band);
    hiss.start(now);
    if (tone) {
      const osc = ctx.createOscillator();
      osc.frequency.setValueAtTime(tone * 1.4, now);
      osc.frequency.exponentialRampToValueAtTime(tone, now + seconds);
      osc.connect(out);
      osc.start(now);
      osc.stop(now + seconds);
    }
  } catch {
    // A browser without sound is a quiet browser.
  }
}
