import { expect, test } from "vitest";
import { networksOf, widestNetwork } from "./networks.ts";

const v6 = ["20010db800010002/64", "20010db8000100/56", "20010db80001/48"];

test.each([
  ["203.0.113.7", ["203.0.113.7", "203.0.113.0/24"]],
  ["::ffff:203.0.113.7", ["203.0.113.7", "203.0.113.0/24"]],
  ["2001:db8:1:2:3:4:5:6", v6],
  ["2001:0DB8:0001:0002::9", v6],
  ["::1", ["0000000000000000/64", "00000000000000/56", "000000000000/48"]],
  ["fe80::1%eth0", ["fe80000000000000/64", "fe800000000000/56", "fe8000000000/48"]],
  ["", [""]],
])("%s counts for its own network and for those around it", (address, prefixes) => {
  expect(networksOf(address).map(({ prefix }) => prefix)).toEqual(prefixes);
  expect(widestNetwork(address)).toBe(prefixes.at(-1));
});
