import type { ReactNode } from "react";
import { LoadFailure } from "./load-failure.tsx";
import { Spinner } from "./spinner.tsx";

interface Query<Data> {
  data: Data | undefined;
  error: Error | null;
  isError: boolean;
  refetch: () => unknown;
}

interface LoadedProps<Data> {
  query: Query<Data>;
  /** What the spinner says, such as "Loading the settings". */
  label: string;
  children: (data: Data) => ReactNode;
}

/** A panel of data that load first: a spinner, the failure with a way to try again, or what is made of the data. */
export function Loaded<Data>({ query, label, children }: LoadedProps<Data>) {
  const { data, error, isError, refetch } = query;
  if (isError && error !== null) {
    return (
      <div className="p-4">
        <LoadFailure error={error} onRetry={() => void refetch()} />
      </div>
    );
  }
  if (data === undefined) {
    return (
      <div className="flex h-full items-center justify-center">
        <Spinner label={label} />
      </div>
    );
  }
  return children(data);
}
