// Loaded into a worker before its own code: told by a signal, the process takes memory until it has none left.
process.on("SIGUSR2", () => {
  const taken = [];
  for (;;) taken.push(Array.from({ length: 100_000 }, (_, index) => `${taken.length} ${index}`));
});
