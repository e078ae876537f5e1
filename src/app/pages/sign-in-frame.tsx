import type { ReactNode } from "react";
import { SignInPicture } from "./sign-in-picture.tsx";

/**
 * The sign-in page around its form, with a picture of a run beside it, on a phone above it. `passed`: milliseconds of that
 * run which have been seen; null when it is over.
 */
export function SignInFrame({ passed = 0, children }: { passed?: number | null; children: ReactNode }) {
  return (
    <main className="grid min-h-full max-lg:grid-rows-[auto_1fr] lg:grid-cols-[minmax(420px,1fr)_1.2fr]">
      <div className="flex items-center justify-center bg-surface px-6 py-12 max-lg:items-start max-lg:py-8">
        <div className="w-full max-w-[340px]">
          <img src="/favicon.svg" alt="" width={40} height={40} className="mb-5 max-lg:hidden" />
          <h1 className="text-2xl font-semibold tracking-tight">Switchyard</h1>
          <p className="mt-1 mb-7 text-base text-muted">
            Wire an agent, a model, a memory and tools on a canvas, test it, and watch every call light up.
          </p>
          {children}
        </div>
      </div>
      <div
        aria-hidden
        className="flex items-center justify-center bg-[radial-gradient(var(--color-dot)_1px,transparent_1px)] bg-size-[16px_16px] max-lg:order-first max-lg:border-b max-lg:px-6 max-lg:py-4 lg:border-l lg:p-12"
      >
        <SignInPicture passed={passed} />
      </div>
    </main>
  );
}
