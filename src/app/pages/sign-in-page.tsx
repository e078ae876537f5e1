import { type ComponentType, lazy, Suspense } from "react";
import { SignInForm } from "../../features/auth/sign-in-form.tsx";
import { usePageTitle } from "../page-title.ts";
import { useSite } from "../site-context.tsx";
import { useMedia } from "../use-media.ts";
import { SignInFrame } from "./sign-in-frame.tsx";

/** It brings the node types along, which a narrow screen never shows. */
const SignInPicture = lazy<ComponentType>(() => import("./sign-in-picture.tsx").catch(() => ({ default: () => null })));

/** The way in. Beside it, on wide screens, what the studio makes. */
export function SignInPage() {
  usePageTitle("Sign in");
  const { signUp, mail } = useSite();
  const isWide = useMedia("(min-width: 64rem)");
  const picture = isWide && (
    <Suspense fallback={null}>
      <SignInPicture />
    </Suspense>
  );
  return (
    <SignInFrame picture={picture}>
      <SignInForm signUp={signUp} mail={mail} />
    </SignInFrame>
  );
}
