import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { SuitesView } from "../../features/tests/suites-view.tsx";
import { useServices } from "../../services/services-context.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { Menu } from "../../ui/overlays/menu.tsx";
import { showError, showToast } from "../../ui/feedback/toast.tsx";
import { useIsOpen } from "../../ui/overlays/use-is-open.ts";
import { exampleSuites, makeExample } from "./example-suites.ts";
import { PageFrame } from "./page-frame.tsx";
import { ImportSuiteDialog } from "../../features/tests/import-suite-dialog.tsx";

/** The suites of the account. */
export function TestsPage() {
  const [making, setMaking] = useState(false);
  const [importing, setImporting] = useState(false);
  const [, navigate] = useLocation();
  const open = (id: string) => navigate(`/tests/${id}`);
  return (
    <PageFrame
      title="Tests"
      lead="How often a workflow is right, and whether a change made it better."
      actions={
        <>
          <ExampleMenu onMade={open} />
          <Button icon="upload" onClick={() => setImporting(true)}>
            <span className="max-sm:sr-only">Import</span>
          </Button>
          <Button variant="primary" icon="plus" onClick={() => setMaking(true)}>
            <span>
              New<span className="max-sm:sr-only"> suite</span>
            </span>
          </Button>
        </>
      }
    >
      <SuitesView making={making} onMaking={setMaking} onOpen={open} />
      {importing && <ImportSuiteDialog onClose={() => setImporting(false)} onMade={open} />}
    </PageFrame>
  );
}

/** Makes a template's workflow together with a suite that passes on the demo model. */
function ExampleMenu({ onMade }: { onMade: (suiteId: string) => void }) {
  const services = useServices();
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const isOpen = useIsOpen();
  const make = async (id: string, title: string) => {
    setBusy(true);
    try {
      const suiteId = await makeExample(services, id);
      await queries.invalidateQueries({ queryKey: ["suites"] });
      await queries.invalidateQueries({ queryKey: ["workflows"] });
      // Who has gone elsewhere meanwhile is not called back.
      if (isOpen()) onMade(suiteId);
      else showToast(`The example “${title}” is ready`, { action: { label: "Open", onClick: () => onMade(suiteId) } });
    } catch (error) {
      setBusy(false);
      showError(error);
    }
  };
  return (
    <Menu
      trigger={
        <Button icon="lightbulb" busy={busy}>
          <span className="max-sm:sr-only">Try an example</span>
        </Button>
      }
      items={exampleSuites.map(({ id, title }) => ({ label: title, onSelect: () => void make(id, title) }))}
    />
  );
}
