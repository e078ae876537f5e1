import type { Page } from "@playwright/test";

/** What is read of React's own record of a rendered component. */
interface Fiber {
  tag: number;
  flags: number;
  memoizedProps: unknown;
  alternate: Fiber | null;
  child: Fiber | null;
  sibling: Fiber | null;
}

/**
 * Has to run before the page's own scripts. React tells the hook of every commit, as it tells its developer tools; the
 * hook notes how many nodes had any component rendered in it.
 */
export async function watchRenders(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const commits: number[] = [];
    /** Functions, references passed on, memos: the kinds of fibers that call a component. */
    const components = new Set([0, 11, 14, 15]);
    const performedWork = 1;
    const nodeOf = ({ memoizedProps: props }: Fiber): string | undefined => {
      if (typeof props !== "object" || props === null || !("nodeTypes" in props) || !("id" in props)) return undefined;
      return typeof props.id === "string" ? props.id : undefined;
    };
    const walk = (fiber: Fiber, owner: string | undefined, rendered: Set<string>): void => {
      const node = nodeOf(fiber) ?? owner;
      if (node !== undefined && components.has(fiber.tag) && (fiber.flags & performedWork) !== 0) rendered.add(node);
      // What React left as it was has the very same children.
      if (fiber.child === fiber.alternate?.child) return;
      for (let child = fiber.child; child !== null; child = child.sibling) {
        if (child !== child.alternate) walk(child, node, rendered);
      }
    };
    Object.assign(window, {
      renderedNodes: commits,
      __REACT_DEVTOOLS_GLOBAL_HOOK__: {
        supportsFiber: true,
        inject: () => 1,
        onCommitFiberUnmount: () => undefined,
        onCommitFiberRoot(_id: number, root: { current: Fiber }) {
          const rendered = new Set<string>();
          walk(root.current, undefined, rendered);
          if (rendered.size > 0) commits.push(rendered.size);
        },
      },
    });
  });
}

/** How many nodes React renders in one commit while `act` goes on: the median of the commits that render any. */
export async function nodesRenderedPerCommit(page: Page, act: () => Promise<void>): Promise<number> {
  await page.evaluate(() => {
    const commits = Reflect.get(window, "renderedNodes") as number[];
    commits.length = 0;
  });
  await act();
  const commits = await page.evaluate(() => Reflect.get(window, "renderedNodes") as number[]);
  if (commits.length === 0) throw new Error("React rendered no node.");
  return commits.toSorted((a, b) => a - b)[commits.length >> 1] ?? 0;
}
