import { AccountFields, GuestEntrance, OtherWay, submitWords } from "../../features/auth/sign-in-parts.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { SignInFrame } from "../pages/sign-in-frame.tsx";

/**
 * What the sign-in page shows of itself before its script is there: the same parts at the same places, not yet in use. It is
 * the page of a studio that is open to everybody; `public/before-paint.js` shows it to visitors who will see that page.
 */
export function SignInShell() {
  const way = "sign-up";
  return (
    <div id="sign-in-shell" inert aria-hidden>
      <SignInFrame>
        <div className="waits-for-script flex flex-col gap-4">
          <GuestEntrance />
          <div className="flex flex-col gap-3">
            <AccountFields way={way} problems={{}} />
            <Button>{submitWords[way]}</Button>
          </div>
          <OtherWay way={way} />
        </div>
      </SignInFrame>
    </div>
  );
}
