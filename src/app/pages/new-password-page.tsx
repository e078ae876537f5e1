import { NewPasswordForm } from "../../features/auth/new-password-form.tsx";
import { usePageTitle } from "../page-title.ts";

/** Where a link for a forgotten password leads. */
export function NewPasswordPage({ token, onDone }: { token: string | null; onDone: () => void }) {
  usePageTitle("New password");
  return (
    <main className="flex min-h-full items-center justify-center bg-surface px-6 py-12">
      <div className="w-full max-w-[340px]">
        <img src="/favicon.svg" alt="" width={40} height={40} className="mb-5" />
        <h1 className="mb-5 text-2xl font-semibold tracking-tight">Choose a new password</h1>
        <NewPasswordForm token={token} onDone={onDone} />
        <p className="mt-4 text-center text-muted">
          <button type="button" className="font-medium text-accent hover:underline" onClick={onDone}>
            Keep the old one
          </button>
        </p>
      </div>
    </main>
  );
}
