import { useState } from "react";
import { Link } from "wouter";
import { Button } from "../ui/buttons/button.tsx";
import { IconButton } from "../ui/buttons/icon-button.tsx";
import { Notice } from "../ui/feedback/notice.tsx";
import { browserStorage } from "./browser-storage.ts";
import { useSession } from "./session.tsx";

const dismissedKey = "switchyard:guest-notice";

/** Tells a guest who has something to lose where it is, and the way out. Once closed, it stays closed until the guest signs out. */
export function GuestNotice({ hasWork }: { hasWork: boolean }) {
  const session = useSession();
  const [closed, setClosed] = useState(() => read() !== null);
  if (session.status !== "in" || !session.account.guest || !hasWork || closed) return null;
  return (
    <Notice
      title="Your work stays with this browser."
      action={
        <span className="flex items-center gap-1">
          <Button size="sm" asChild>
            <Link href="/settings#account">Create an account</Link>
          </Button>
          <IconButton
            icon="x"
            label="Close"
            size="sm"
            onClick={() => {
              setClosed(true);
              keep();
            }}
          />
        </span>
      }
    >
      With an account you reach it from anywhere, and everything stays as it is.
    </Notice>
  );
}

function read(): string | null {
  try {
    return browserStorage()?.getItem(dismissedKey) ?? null;
  } catch {
    return null;
  }
}

function keep(): void {
  try {
    browserStorage()?.setItem(dismissedKey, "closed");
  } catch {
    // Without storage it comes back at the next visit.
  }
}
