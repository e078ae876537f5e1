/** Pictures that were sent with a message. Those of other sites are named, not loaded. */
export function MessageImages({ urls }: { urls: readonly string[] }) {
  if (urls.length === 0) return null;
  return (
    <ul aria-label="Images" className="flex flex-wrap justify-end gap-2">
      {urls.map((url, index) => (
        <li key={index}>
          {/^data:image\/(png|jpeg|webp|gif);base64,/.test(url) ? (
            <img
              src={url}
              alt={`Attached image ${index + 1}`}
              className="max-h-40 max-w-56 rounded-lg border object-contain"
            />
          ) : (
            <span className="text-xs text-muted wrap-anywhere">{url}</span>
          )}
        </li>
      ))}
    </ul>
  );
}
