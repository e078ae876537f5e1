import { describe, expect, it } from "vitest";
import { intercepted, type Interceptor } from "./execution.ts";

const double = (call: number) => Promise.resolve(call * 2);

describe("interceptors", () => {
  it("stand around a call in their order, the first one outermost", async () => {
    const addOne: Interceptor<number, number> = (call, next) => next(call + 1);
    const timesTen: Interceptor<number, number> = async (call, next) => (await next(call * 10)) + 0.5;
    expect(await intercepted(double, [addOne, timesTen])(2)).toBe(60.5);
    expect(await intercepted(double, [timesTen, addOne])(2)).toBe(42.5);
  });

  it("can answer in the place of what makes the call", async () => {
    const asked: number[] = [];
    const ask = (call: number) => double(asked.push(call));
    const answer: Interceptor<number, number> = (call, next) => (call < 0 ? Promise.resolve(0) : next(call));
    const guarded = intercepted(ask, [answer]);
    expect(await guarded(-1)).toBe(0);
    expect(asked).toEqual([]);
    await guarded(7);
    expect(asked).toEqual([7]);
  });

  it("can make the call again", async () => {
    let left = 2;
    const fails = () => (left-- > 0 ? Promise.reject(new Error("Busy.")) : Promise.resolve("there"));
    const retry: Interceptor<string, string> = async (call, next) => {
      for (;;) {
        const result = await next(call).catch(() => undefined);
        if (result !== undefined) return result;
      }
    };
    expect(await intercepted<string, string>(fails, [retry])("call")).toBe("there");
  });

  it("are left out where they have nothing to do", () => {
    expect(intercepted(double, [undefined, undefined])).toBe(double);
  });
});
