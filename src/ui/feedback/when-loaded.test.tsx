import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { whenLoaded } from "./when-loaded.tsx";

const tick = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

it("stands empty until its code is there, which is loaded once", async () => {
  let loads = 0;
  const Greeting = whenLoaded(() => {
    loads += 1;
    return Promise.resolve(({ name }: { name: string }) => <p>Hello {name}</p>);
  });
  expect(loads).toBe(0);
  expect(renderToStaticMarkup(<Greeting name="Ada" />)).toBe("");
  await tick();
  expect(renderToStaticMarkup(<Greeting name="Ada" />)).toBe("<p>Hello Ada</p>");
  expect(loads).toBe(1);
});

it("has what was given in its place meanwhile", async () => {
  const Greeting = whenLoaded(
    () => Promise.resolve(() => <p>Hello</p>),
    () => <p>Loading</p>,
  );
  expect(renderToStaticMarkup(<Greeting />)).toBe("<p>Loading</p>");
  await tick();
  expect(renderToStaticMarkup(<Greeting />)).toBe("<p>Hello</p>");
});

it("throws, for an error boundary, why its code cannot be loaded", async () => {
  const Broken = whenLoaded(() => Promise.reject<() => null>(new Error("You are offline.")));
  expect(renderToStaticMarkup(<Broken />)).toBe("");
  await tick();
  expect(() => renderToStaticMarkup(<Broken />)).toThrow("You are offline.");
});
