import { expect, it } from "vitest";
import { emptyKeyForm, readKeyForm, scopeWords } from "./read-key-form.ts";

const now = Date.parse("2026-01-01T00:00:00Z");

it("reads a key from the form", () => {
  const form = {
    ...emptyKeyForm,
    name: " Shop ",
    all: false,
    slugs: ["answers", "orders"],
    readRuns: true,
    approve: true,
    knowledge: true,
    lasts: "30",
    perMinute: "60",
    dayUsd: "0.5",
    origins: "https://Shop.test/\n\nhttp://localhost:3000",
  };
  expect(readKeyForm(form, now)).toEqual({
    ok: true,
    draft: {
      name: "Shop",
      scopes: ["run:answers", "run:orders", "runs:read", "approve", "knowledge"],
      limits: { perMinute: 60, dayUsd: 0.5, origins: ["https://shop.test", "http://localhost:3000"] },
      expiresAt: "2026-01-31T00:00:00.000Z",
    },
  });
  expect(readKeyForm({ ...emptyKeyForm, name: "x", lasts: "" }, now)).toEqual({
    ok: true,
    draft: { name: "x", scopes: ["run:*"], limits: {}, expiresAt: null },
  });
});

it("says what is wrong with each field", () => {
  const form = {
    ...emptyKeyForm,
    all: false,
    perMinute: "1.5",
    concurrent: "-1",
    monthUsd: "much",
    origins: "https://shop.test/page",
  };
  expect(readKeyForm(form, now)).toEqual({
    ok: false,
    problems: {
      name: expect.any(String),
      slugs: expect.any(String),
      perMinute: expect.stringContaining("whole"),
      concurrent: expect.any(String),
      monthUsd: expect.any(String),
      origins: expect.stringContaining("https://shop.test/page"),
    },
  });
});

it("says in words what a key may do", () => {
  expect(scopeWords(["run:*", "run:answers", "runs:read", "approve", "knowledge"])).toEqual([
    "Run all workflows",
    "Run answers",
    "Read runs",
    "Approve",
    "Change documents",
  ]);
});
