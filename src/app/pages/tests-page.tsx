import { useState } from "react";
import { useLocation } from "wouter";
import { SuitesView } from "../../features/tests/suites-view.tsx";
import { Button } from "../../ui/button.tsx";
import { PageFrame } from "./page-frame.tsx";

/** The suites of the account. */
export function TestsPage() {
  const [making, setMaking] = useState(false);
  const [, navigate] = useLocation();
  return (
    <PageFrame
      title="Tests"
      lead="How often a workflow is right, and whether a change made it better."
      actions={
        <Button variant="primary" icon="plus" onClick={() => setMaking(true)}>
          New suite
        </Button>
      }
    >
      <SuitesView making={making} onMaking={setMaking} onOpen={(id) => navigate(`/tests/${id}`)} />
    </PageFrame>
  );
}
