import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Admissions, createAdmissions } from "./admissions.ts";
import type { Caller } from "./authenticate.ts";
import type { RateLimit } from "./rate-limit.ts";

const limit: RateLimit = { bucket: "b", perMinute: 9, concurrent: 9, slotSeconds: 9 };
const call = { credential: "c", access: "1" };
const caller: Caller = { userId: "user", token: "token", isWorker: false, sessionId: "session" };

/** A database that counts what it is told, and lets everybody in while calls are left. */
function database({ perMinute = 9, atOnce = 9, tellsWhatIsLeft = true } = {}) {
  const places = new Set<string>();
  const begun: unknown[] = [];
  let counted = 0;
  const state = { answer: null as object | null };
  const callAsService = (name: string, parameters: Record<string, unknown>): Promise<unknown> => {
    for (const place of (parameters["p_leave"] ?? parameters["p_slots"]) as string[]) places.delete(place);
    const uncounted = parameters["p_uncounted"] ?? [];
    counted += Array.isArray(uncounted) ? uncounted.reduce((sum, { calls }) => sum + calls, 0) : Number(uncounted);
    if (name !== "studio_begin_call") return Promise.resolve(null);
    if (state.answer) return Promise.resolve(state.answer);
    if (places.size >= atOnce) return Promise.resolve({ refused: "places" });
    counted += 1;
    const slot = `00000000-0000-4000-8000-${String(begun.push(parameters)).padStart(12, "0")}`;
    places.add(slot);
    const left = tellsWhatIsLeft ? { left: Math.max(0, perMinute - counted) } : {};
    return Promise.resolve({ slot, ...left, credential: null });
  };
  return { callAsService, places, begun, state, counted: () => counted };
}

interface Asked {
  credential?: string;
  access?: string;
}

describe("calls of one user", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const admit = async (admissions: Admissions, who: Partial<Caller> = {}, asked: Asked = {}) => {
    const begun = await admissions.begin({ ...caller, ...who }, limit, { ...call, ...asked });
    if (!begun.ok) throw new Error(begun.error.message);
    return begun.value;
  };
  const good = async (admissions: Admissions, who: Partial<Caller> = {}, asked: Asked = {}) => {
    const begun = await admit(admissions, who, asked);
    begun.keep();
    void begun.leave();
  };

  test("that follow each other with a good credential ask once, hold one place, and are all counted", async () => {
    const base = database();
    const admissions = createAdmissions(base);
    for (let time = 0; time < 5; time += 1) await good(admissions);
    expect(base.begun).toHaveLength(1);
    expect(base.places.size).toBe(1);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(base.places.size).toBe(0);
    expect(base.counted()).toBe(5);
  });

  test("S11 ask again four seconds after the last time, however quickly they follow each other", async () => {
    const base = database();
    const admissions = createAdmissions(base);
    for (let moment = 0; moment < 4_000; moment += 1_000) {
      await good(admissions);
      await vi.advanceTimersByTimeAsync(1_000);
    }
    expect(base.begun).toHaveLength(1);
    base.state.answer = { refused: "session" };
    expect(await admissions.begin(caller, limit, call)).toMatchObject({ ok: false, status: 401 });
  });

  test("ask again when a call has not shown that its credential is good", async () => {
    const base = database();
    const admissions = createAdmissions(base);
    await good(admissions);
    const failed = await admit(admissions);
    void failed.leave();
    await good(admissions);
    expect(base.begun).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(base.places.size).toBe(0);
    expect(base.counted()).toBe(3);
  });

  test("S39 are let in on what was said about the same user, session and credential alone, and since nothing has changed", async () => {
    const base = database();
    const admissions = createAdmissions(base);
    await good(admissions);
    await good(admissions, { userId: "other" });
    await good(admissions, { sessionId: "another" });
    await good(admissions, {}, { credential: "d" });
    await good(admissions, {}, { access: "2" });
    expect(base.begun).toHaveLength(5);
    for (const who of [{}, { userId: "other" }, { sessionId: "another" }]) await good(admissions, who);
    expect(base.begun).toHaveLength(5);
  });

  test("S10 that go on at once ask for a place each, and keep one of these at most", async () => {
    const base = database();
    const admissions = createAdmissions(base);
    await good(admissions);
    const [first, second] = [await admit(admissions), await admit(admissions)];
    expect(base.places.size).toBe(2);
    for (const begun of [first, second]) {
      begun.keep();
      void begun.leave();
    }
    await vi.advanceTimersByTimeAsync(300);
    expect(base.places.size).toBe(1);
  });

  test("S10 are not refused for a place that only waits for a call with another credential", async () => {
    const base = database({ atOnce: 2 });
    const admissions = createAdmissions(base);
    for (const credential of ["c", "d", "e"]) await good(admissions, {}, { credential });
    await admit(admissions);
    await admit(admissions);
    expect(await admissions.begin(caller, limit, call)).toMatchObject({ ok: false });
    expect(base.places.size).toBe(2);
  });

  test("S10 are refused once the allowance of the minute is used, of which they know what is left", async () => {
    const base = database({ perMinute: 3 });
    const admissions = createAdmissions(base);
    for (let time = 0; time < 3; time += 1) await good(admissions);
    expect(base.begun).toHaveLength(1);
    base.state.answer = { refused: "rate", wait: 7 };
    expect(await admissions.begin(caller, limit, call)).toMatchObject({ ok: false, retryAfter: 7 });
    expect(base.counted()).toBe(3);
  });

  test("ask each time where the database does not say what is left", async () => {
    const base = database({ tellsWhatIsLeft: false });
    const admissions = createAdmissions(base);
    for (let time = 0; time < 3; time += 1) await good(admissions);
    expect(base.begun).toHaveLength(3);
  });
});

test("what could not be counted is counted with the next call that reaches the database", async () => {
  const base = database();
  let isAway = false;
  const admissions = createAdmissions({
    callAsService: (name, parameters) =>
      isAway ? Promise.reject(new Error("away")) : base.callAsService(name, parameters),
  });
  for (let time = 0; time < 3; time += 1) {
    const begun = await admissions.begin(caller, limit, call);
    if (begun.ok) begun.value.keep();
    if (begun.ok) void begun.value.leave();
  }
  isAway = true;
  await expect(admissions.begin(caller, limit, { ...call, credential: "d" })).rejects.toThrow("away");
  isAway = false;
  await admissions.begin(caller, limit, { ...call, credential: "d" });
  expect(base.counted()).toBe(4);
});
