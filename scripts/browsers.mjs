// Finds the browsers for tests in their usual locations. As root, installs missing browsers from
// Debian's packages.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fail } from "./project.mjs";
import { installPackages } from "./system-packages.mjs";

/** A program that tests need: its names on the PATH, its usual paths and its Debian packages. */
const chromium = {
  title: "Chromium",
  variable: "CHROME_PATH",
  names: ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"],
  places: [
    "/usr/bin/chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  ],
  packages: ["chromium", "fonts-liberation"],
};
const firefox = {
  title: "Firefox",
  variable: "FIREFOX_PATH",
  names: ["firefox-esr", "firefox"],
  places: [
    "/Applications/Firefox.app/Contents/MacOS/firefox",
    "C:\\Program Files\\Mozilla Firefox\\firefox.exe",
  ],
  packages: ["firefox-esr", "fonts-liberation"],
};
/** WebKit's driver, which starts its own minimal browser, and a virtual screen for that browser. */
const webkit = [
  { title: "WebKit's driver", names: ["WebKitWebDriver"], packages: ["webkit2gtk-driver"] },
  {
    title: "a virtual screen (xvfb-run)",
    names: ["xvfb-run"],
    packages: ["xvfb", "xauth", "fonts-liberation"],
  },
];
/** Proxies with sample configurations in `examples/`, and a shared cache. */
const proxies = [
  { title: "Caddy", variable: "CADDY_PATH", names: ["caddy"], packages: ["caddy"] },
  {
    title: "nginx",
    variable: "NGINX_PATH",
    names: ["nginx"],
    places: ["/usr/sbin/nginx"],
    packages: ["nginx"],
  },
  {
    title: "Varnish",
    variable: "VARNISH_PATH",
    names: ["varnishd"],
    places: ["/usr/sbin/varnishd"],
    packages: ["varnish"],
  },
];

/** Returns the path of Chromium or Chrome. If neither is found, explains what to do and exits. */
export function requireChromium() {
  const found = find(chromium) ?? (install([chromium]) ? find(chromium) : undefined);
  return (
    found ??
    fail(
      "The browser tests need Chromium or Chrome, and none was found. Install one (on Debian, as root: " +
        "apt-get install chromium), or say where it is: CHROME_PATH=/path/to/chrome npm test",
    )
  );
}

/**
 * Finds the browser engines other than Chromium that can be tested here. Installs missing engines
 * if possible. Returns the environment variables for the tests, and a message for each missing
 * engine.
 */
export function findEngines() {
  const absent = [firefox, ...webkit].filter((program) => !find(program));
  if (absent.length > 0) install(absent);
  const engines = [
    { name: "Firefox", programs: [firefox] },
    { name: "WebKit", programs: webkit },
  ];
  const path = find(firefox);
  const environment = path ? { [firefox.variable]: path } : {};
  const lacks = (engine) => engine.programs.filter((program) => !find(program));
  return {
    environment,
    present: engines.filter((engine) => lacks(engine).length === 0).map(({ name }) => name),
    missing: engines.flatMap((engine) => {
      const lacking = lacks(engine);
      if (lacking.length === 0) return [];
      const packages = lacking.flatMap((program) => program.packages).join(" ");
      const titles = lacking.map((program) => program.title).join(" and ");
      return [
        `${engine.name}: ${titles} not found (on Debian, as root: apt-get install ${packages})`,
      ];
    }),
  };
}

/**
 * Finds the proxies that can be tested here. Installs missing proxies if possible. Returns their
 * paths as environment variables for the tests, and a message for each missing proxy.
 */
export function findProxies() {
  const absent = proxies.filter((program) => !find(program));
  if (absent.length > 0) install(absent);
  const missing = proxies.filter((program) => !find(program)).map(({ title }) => title);
  const environment = Object.fromEntries(
    proxies.map((program) => [program.variable, find(program) ?? ""]),
  );
  return {
    environment,
    missing: missing.map((title) => `${title} was not found, so nothing is tested behind it.`),
  };
}

function find({ variable, names, places = [] }) {
  const given = variable && process.env[variable];
  if (given) {
    if (existsSync(given)) return given;
    return fail(`${variable} names ${given}, but there is no such file.`);
  }
  const onPath = (process.env.PATH ?? "")
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)));
  return [...places, ...onPath].find((file) => existsSync(file));
}

function install(programs) {
  const packages = [...new Set(programs.flatMap((program) => program.packages))];
  return installPackages(packages, programs.map(({ title }) => title).join(", "));
}
