/**
 * Browsers by their tokens in the header. The first match wins, because newer browsers also claim
 * to be older browsers.
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
 * Names a device by its browser and system, which is enough to tell an operator's devices apart. We
 * store no more than that.
 */
export function nameDevice(userAgent: string | null): string {
  const found = [browsers, systems].map(
    (names) => Object.entries(names).find(([sign]) => userAgent?.includes(sign))?.[1],
  );
  return found.filter(Boolean).join(", ") || "?";
}
