import { expect, it } from "vitest";
import { askWithTools } from "../../features/library/templates/ask-with-tools.ts";
import { sketchOf } from "../../features/library/sketch-of.ts";
import { signInSketch } from "./sign-in-sketch.ts";

it("shows nodes of the newcomers' template as they look on the canvas, wired as they are there", () => {
  const real = sketchOf(askWithTools("picture"));
  for (const { id, role, icon, title } of signInSketch.nodes)
    expect(real.nodes).toContainEqual(expect.objectContaining({ id, role, icon, title }));
  for (const edge of signInSketch.edges) expect(real.edges).toContainEqual(edge);
});
