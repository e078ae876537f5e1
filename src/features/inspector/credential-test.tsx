import { useMutation } from "@tanstack/react-query";
import { ServiceError } from "../../services/services.ts";
import { useServices } from "../../services/services-context.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";

/** Tests the chosen credential without leaving the node. */
export function CredentialTest({ id }: { id: string }) {
  const { credentials } = useServices();
  const test = useMutation({ mutationFn: () => credentials.test(id) });
  const failed = test.error;
  return (
    <div className="flex flex-col gap-1.5">
      <Button
        size="sm"
        variant="ghost"
        icon="plug"
        className="self-start text-muted"
        busy={test.isPending}
        onClick={() => test.mutate()}
      >
        Test connection
      </Button>
      {test.data !== undefined && !test.isPending && (
        <Notice tone={test.data.ok ? "success" : "danger"} title={test.data.message}>
          {test.data.hint}
        </Notice>
      )}
      {failed !== null && (
        <Notice tone="danger" title={failed.message}>
          {failed instanceof ServiceError && failed.hint}
        </Notice>
      )}
    </div>
  );
}
