import { describe, expect, it } from "vitest";
import { unpack } from "../src/host/lzma";

/** What `xz --format=lzma -9e` makes of this text, with its size in the head. */
const TEXT = Array.from({ length: 40 }, (_, i) => `line ${i * i}: the guns of brigade ${i % 7} fire at ${1000 - i}\n`).join("");
const PACKED = "XQAAAATbBgAAAAAAAAA2GkofCKAmVk4NbLil0QNDO2KIkmqBJY0luo73hVEFCGWTo9YJokqegniSyDGDNS/YgqNm+XJnEgDO5h5QSjwaWgIktrl6mp7z5vaPMTAn7NNoAhU3rsS33LBoSo3rPmjUu/J/xHSiGabJrG7SWuy8UmjPVGW3/z6rNJjvFKIynSniocUeQ0Exd8W7aC2nJ8Hzt1L9Hx7jpvGxEuEJleNRluLbgL4UOOREumUnhW4jX7LrCcMVl8qA8cPtIO0GBzbiIP3+n1O9bRrpzBoQ5x9AFqTu+jQrgk3r6G1IClyPeG8z5MmggFE6f14G+0U5GNX/xrRSLeJmDateKJ81aqgCwltybE4c4leDUaEj43qImmOQoWsYC6o/5iSnCA4t+1aeO//2O7Th";

const bytes = (base64: string) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));

describe("lzma", () => {
  it("unpacks what xz has packed", () => {
    expect(new TextDecoder().decode(unpack(bytes(PACKED)))).toBe(TEXT);
  });

  it("refuses what is cut short, damaged or something else", () => {
    expect(() => unpack(bytes(PACKED).slice(0, 60))).toThrow("cut short");
    expect(() => unpack(new Uint8Array(3))).toThrow("not LZMA");
    const damaged = bytes(PACKED);
    damaged.fill(0xff, 14, 30);
    expect(() => unpack(damaged)).toThrow();
  });
});
