import { expect, test } from "vitest";
import { suggestAddress } from "./suggest-address.ts";

const ownDomains = ["uni.example"];

test.each([
  ["sadia@uni.exmaple", "sadia@uni.example"],
  ["sadia@uni.exampel", "sadia@uni.example"],
  ["sadia@unii.exmple", "sadia@uni.example"],
  ["sadia@uniexample", "sadia@uni.example"],
  ["sadia@uni", "sadia@uni.example"],
  ["Sadia+x@UNI.exmaple", "Sadia+x@uni.example"],
  ["sadia@gmial.com", "sadia@gmail.com"],
  ["sadia@gmail.con", "sadia@gmail.com"],
  ["sadia@gmail.co", "sadia@gmail.com"],
  ["sadia@gmailcom", "sadia@gmail.com"],
  ["sadia@gmail", "sadia@gmail.com"],
  ["sadia@yaho.com", "sadia@yahoo.com"],
  ["sadia@outlok.com", "sadia@outlook.com"],
  ["sadia@hotmial.com", "sadia@hotmail.com"],
  ["sadia@iclould.com", "sadia@icloud.com"],
])("suggests a correction: %s becomes %s", (typed, suggestion) => {
  expect(suggestAddress(typed, ownDomains)).toBe(suggestion);
});

test.each([
  "sadia@uni.example",
  "sadia@cs.uni.example",
  "sadia@gmail.com",
  "sadia@mail.com",
  "sadia@ymail.com",
  "sadia@yahoo.ca",
  "sadia@other.example",
  "sadia@x.edu",
  "sadia",
  "@gmial.com",
  "sadia@",
  "",
])("suggests no correction for %j", (typed) => {
  expect(suggestAddress(typed, ownDomains)).toBeUndefined();
});
