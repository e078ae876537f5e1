import { expect, it } from "vitest";
import type { NodeIcon } from "../../engine/document/node-icon.ts";
import { nodeTypes } from "../../nodes/index.ts";
import { icons } from "../../ui/icons/icons.ts";

/** An icon that nodes may have and that has no shape does not compile. */
const shapes: Readonly<Record<NodeIcon, unknown>> = icons;

it("has a shape for the icon of each node", () => {
  for (const { icon } of nodeTypes) expect(shapes[icon], icon).toBeDefined();
});
