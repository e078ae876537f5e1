import { ChoreProblems } from "../../features/activity/chore-problems.tsx";
import { EverythingSection } from "../../features/library/everything/everything-section.tsx";
import { SettingsView } from "../../features/settings/settings-view.tsx";
import { forgetDeletedAccount } from "../forget-deleted-account.ts";
import { useSession } from "../session.tsx";
import { useSite } from "../site-context.tsx";
import { PageFrame } from "./page-frame.tsx";

export function SettingsPage() {
  const session = useSession();
  const { embedded } = useSite();
  if (session.status !== "in") return null;
  return (
    <PageFrame title="Settings" narrow>
      <ChoreProblems />
      <SettingsView
        account={session.account}
        embedded={embedded}
        everything={<EverythingSection />}
        onDeleted={forgetDeletedAccount}
      />
    </PageFrame>
  );
}
