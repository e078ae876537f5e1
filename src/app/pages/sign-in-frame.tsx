import type { ReactNode } from "react";

/** The sign-in page around its form. Beside it, on wide screens, a picture. */
export function SignInFrame({ picture, children }: { picture?: ReactNode; children: ReactNode }) {
  return (
    <main className="grid min-h-full lg:grid-cols-[minmax(420px,1fr)_1.2fr]">
      <div className="flex items-center justify-center bg-surface px-6 py-12">
        <div className="w-full max-w-[340px]">
          <img src="/favicon.svg" alt="" width={40} height={40} className="mb-5" />
          <h1 className="text-2xl font-semibold tracking-tight">Switchyard</h1>
          <p className="mt-1 mb-7 text-base text-muted">
            Wire an agent, a model, a memory and tools on a canvas, test it, and watch every call light up.
          </p>
          {children}
        </div>
      </div>
      <div
        aria-hidden
        className="hidden items-center justify-center border-l bg-[radial-gradient(var(--color-dot)_1px,transparent_1px)] bg-size-[16px_16px] p-12 lg:flex"
      >
        {picture}
      </div>
    </main>
  );
}
