import { expect, it } from "vitest";
import { resetLinkOf } from "./reset-link.ts";

it.each([
  ["#reset=abc.def-g_h.i", { token: "abc.def-g_h.i" }],
  ["#access_token=x&type=recovery", { token: null }],
  ["#type=recovery&access_token=x", { token: null }],
  ["", null],
  ["#invite=abc", null],
  ["#reset=<script>", null],
  ["#access_token=x&type=signup", null],
])("the address %s", (hash, link) => {
  expect(resetLinkOf(hash)).toEqual(link);
});
