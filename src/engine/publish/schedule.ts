/** When a published workflow starts by itself. */
export interface Schedule {
  /** Five fields: minute, hour, day of the month, month, day of the week. */
  cron: string;
  /** IANA name, such as Europe/Berlin. */
  timeZone: string;
  /** Of times at which no worker was there: none of them runs, or one run stands for all. */
  missed: "skip" | "once";
}
