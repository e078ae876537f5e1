import type { ReactElement } from "react";
import { expect, test } from "vitest";
import { Button } from "./button.tsx";

test("a link that looks like a button keeps what it does when it is clicked", () => {
  const open = () => {};
  const child = (
    <a href="/runs" onClick={open}>
      Runs
    </a>
  );
  const drawn = Button({ asChild: true, children: child }) as ReactElement<{ onClick: unknown }>;
  expect(drawn.props.onClick).toBe(open);
});
