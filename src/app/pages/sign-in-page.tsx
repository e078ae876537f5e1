import { useState } from "react";
import { SignInForm } from "../../features/auth/sign-in-form.tsx";
import { usePageTitle } from "../page-title.ts";
import { LeaveShell } from "../shell/leave-shell.tsx";
import { useSite } from "../site-context.tsx";
import { SignInFrame } from "./sign-in-frame.tsx";
import { passedOfRun } from "./sign-in-picture.tsx";

/** The way in, beside what the studio makes. */
export function SignInPage() {
  usePageTitle("Sign in");
  const { signUp, mail } = useSite();
  const [passed] = useState(passedOfRun);
  return (
    <>
      <SignInFrame passed={passed}>
        <SignInForm signUp={signUp} mail={mail} />
      </SignInFrame>
      {/* Here and not around it: until its code is there, the first paint stays. */}
      <LeaveShell />
    </>
  );
}
