/**
 * Browsers, keyed by their token in `User-Agent`. The first match wins, because newer browsers also
 * include the tokens of older ones.
 */
const browsers = {
  Edg: "Edge",
  "OPR/": "Opera",
  SamsungBrowser: "Samsung Internet",
  Firefox: "Firefox",
  FxiOS: "Firefox",
  CriOS: "Chrome",
  Chrome: "Chrome",
  Safari: "Safari",
};
const systems = {
  Android: "Android",
  iPhone: "iPhone",
  iPad: "iPad",
  Windows: "Windows",
  "Mac OS X": "Mac",
  CrOS: "Chromebook",
  Linux: "Linux",
};

/**
 * Describes a device by its browser and operating system. That is enough to distinguish an
 * operator's devices, so we store nothing else.
 */
export function nameDevice(userAgent: string | null): string {
  const found = [browsers, systems].map(
    (names) => Object.entries(names).find(([sign]) => userAgent?.includes(sign))?.[1],
  );
  return found.filter(Boolean).join(", ") || "?";
}
