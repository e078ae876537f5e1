import type { Page, Request } from "@playwright/test";

export interface HeldBack {
  /** Resolves when the first request is there. */
  asked: Promise<void>;
  /** Lets all requests go on, those that come later as well. */
  release(): void;
}

/** Lets some requests wait. */
export async function holdBack(page: Page, address: RegExp, wanted: (request: Request) => boolean): Promise<HeldBack> {
  let [tell, release] = [() => {}, () => {}];
  const asked = new Promise<void>((resolve) => (tell = resolve));
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(address, async (route) => {
    if (wanted(route.request())) {
      tell();
      await released;
    }
    await route.fallback();
  });
  return { asked, release };
}

export const adds = (request: Request) => request.method() === "POST";
export const changes = (request: Request) => request.method() === "PATCH";
