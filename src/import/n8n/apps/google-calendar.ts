import type { Json, JsonObject } from "../../../engine/json.ts";
import type { NodeWork } from "../node-work.ts";
import type { Service } from "../services.ts";
import { type AppMapper, cel, given, listOf, present, presentTexts, segment, templated } from "./request.ts";

const calendarOf = (work: NodeWork) => `/calendars/${segment(work, "calendar")}`;
const eventOf = (work: NodeWork) => `${calendarOf(work)}/events/${segment(work, "eventId")}`;

/** A moment as Google wants it: with its offset. What a model says is left as it is. */
function moment(work: NodeWork, value: Json | undefined): string | undefined {
  if (value === undefined || value === "" || value === null) return undefined;
  if (!work.isExpression(value) || !work.inFlow) return work.textOf(value);
  return `{{iso(date(${cel(work, value)}))}}`;
}

/** The start or end of an event: a day where it takes the whole of it. */
function timeOf(
  work: NodeWork,
  value: Json | undefined,
  allDay: boolean,
  zone: Json | undefined,
): JsonObject | undefined {
  if (!allDay) {
    const at = moment(work, value);
    return at === undefined ? undefined : { dateTime: at, ...present({ timeZone: zone }) };
  }
  if (value === undefined || value === "" || value === null) return undefined;
  if (work.isExpression(value) && work.inFlow)
    return { date: `{{formatDate(date(${cel(work, value)}), "yyyy-MM-dd")}}` };
  const day = work.textOf(value);
  return { date: day.includes("{{") ? day : day.slice(0, 10) };
}

/** n8n's fields of an event in Google's form (developers.google.com/workspace/calendar/api/v3/reference/events). */
function eventFields(work: NodeWork, group: "additionalFields" | "updateFields"): JsonObject {
  const at = (name: string) => work.at(group, name);
  const field = (name: string) => given(work, group, name);
  const guests = listOf(work, at("attendees") ?? work.at(group, "attendeesUi", "values", "attendees"));
  const isAllDay = at("allday") === "yes" || at("allday") === true;
  const zone = field("timezone");
  const isNew = group === "additionalFields";
  const repeat = field("rrule");
  const usual = field("repeatFrecuency") ?? field("repeatFrequency");
  const times = present({ COUNT: field("repeatHowManyTimes"), UNTIL: field("repeatUntil") });
  const rule =
    usual === undefined
      ? undefined
      : [
          `FREQ=${String(usual).toUpperCase()}`,
          ...Object.entries(times).map(([name, one]) => `${name}=${String(one)}`),
        ].join(";");
  const reminders = work.list("remindersUi", "remindersValues");
  const useDefault = work.at("useDefaultReminders") ?? at("useDefaultReminders");
  const solution =
    field("conferenceDataUi") ?? given(work, group, "conferenceDataUi", "conferenceDataValues", "conferenceSolution");
  return present({
    summary: field("summary"),
    description: field("description"),
    location: field("location"),
    colorId: field("color"),
    visibility: field("visibility"),
    transparency: field("showMeAs"),
    id: isNew ? field("id") : undefined,
    guestsCanInviteOthers: field("guestsCanInviteOthers"),
    guestsCanModify: field("guestsCanModify"),
    guestsCanSeeOtherGuests: field("guestsCanSeeOtherGuests"),
    start: timeOf(work, isNew ? work.at("start") : (at("start") ?? work.at("start")), isAllDay, zone),
    end: timeOf(work, isNew ? work.at("end") : (at("end") ?? work.at("end")), isAllDay, zone),
    attendees: guestsOf(guests),
    recurrence:
      repeat === undefined ? (rule === undefined ? undefined : [`RRULE:${rule}`]) : [`RRULE:${String(repeat)}`],
    reminders:
      useDefault === false
        ? {
            useDefault: false,
            ...(reminders.length === 0
              ? {}
              : {
                  overrides: reminders.map(({ method, minutes }) => ({
                    method: method ?? "email",
                    minutes: minutes ?? 10,
                  })),
                }),
          }
        : undefined,
    conferenceData:
      solution === undefined
        ? undefined
        : {
            createRequest: {
              requestId: "{{run.id}}",
              conferenceSolutionKey: { type: typeof solution === "string" ? solution : "hangoutsMeet" },
            },
          },
  });
}

function guestsOf(list: Json | undefined): Json | undefined {
  if (list === undefined) return undefined;
  if (Array.isArray(list)) {
    const only = list.length === 1 ? String(list[0]) : "";
    // One text may hold several addresses.
    if (only.startsWith("{{") && only.indexOf("{{", 2) === -1)
      return `{{split(join(items(${only.slice(2, -2)}), ","), ",").map(one, {"email": trim(one)}) }}`;
    return list
      .flatMap((one) => (String(one).includes("{{") ? [one] : String(one).split(",")))
      .map((one) => ({ email: String(one).trim() }));
  }
  return `{{${String(list).slice(2, -2)}.map(one, {"email": text(one)}) }}`;
}

const told = (work: NodeWork, group: string) =>
  presentTexts({
    sendUpdates: given(work, group, "sendUpdates") ?? given(work, "options", "sendUpdates"),
    maxAttendees: given(work, group, "maxAttendees"),
  });

const withConference = (body: JsonObject): JsonObject =>
  body["conferenceData"] === undefined ? {} : { conferenceDataVersion: "1" };

const create: AppMapper = (work) => {
  const body = eventFields(work, "additionalFields");
  return {
    method: "POST",
    path: `${calendarOf(work)}/events`,
    query: { ...told(work, "additionalFields"), ...withConference(body) },
    body,
  };
};

const update: AppMapper = (work) => ({
  method: "PATCH",
  path: eventOf(work),
  query: told(work, "updateFields"),
  body: eventFields(work, "updateFields"),
});

const list: AppMapper = (work) => {
  const option = (name: string) => work.at("options", name);
  const all = work.flag("returnAll");
  const single = option("singleEvents") ?? (work.word(["options", "recurringEventHandling"]) === "expand" || undefined);
  const lower =
    work.at("timeMin") ?? option("timeMin") ?? (work.node.version >= 1.3 && work.inFlow ? "={{ $now }}" : undefined);
  const upper =
    work.at("timeMax") ??
    option("timeMax") ??
    (work.node.version >= 1.3 && work.inFlow ? "={{ $now.plus({ week: 1 }) }}" : undefined);
  const order = given(work, "options", "orderBy");
  return {
    method: "GET",
    path: `${calendarOf(work)}/events`,
    query: present({
      timeMin: moment(work, lower),
      timeMax: moment(work, upper),
      maxResults: all ? 2_500 : (templated(work, work.at("limit")) ?? 50),
      orderBy: order,
      singleEvents: single === true || order === "startTime" ? "true" : undefined,
      showDeleted: option("showDeleted") === true ? "true" : undefined,
      showHiddenInvitations: option("showHiddenInvitations") === true ? "true" : undefined,
      q: given(work, "options", "query"),
      iCalUID: given(work, "options", "iCalUID"),
      updatedMin: moment(work, option("updatedMin")),
      timeZone: given(work, "options", "timeZone"),
      fields: given(work, "options", "fields"),
    }),
    paging: { parameter: "pageToken", next: "nextPageToken", items: "items", all },
  };
};

const free: AppMapper = (work) => ({
  method: "POST",
  path: "/freeBusy",
  body: present({
    timeMin: moment(work, work.at("timeMin") ?? (work.inFlow ? "={{ $now }}" : undefined)),
    timeMax: moment(work, work.at("timeMax") ?? (work.inFlow ? "={{ $now.plus(1, 'hour') }}" : undefined)),
    timeZone: given(work, "options", "timezone"),
    items: [{ id: work.textOf(work.at("calendar")) }],
  }),
  note: "Its answer lists the times that are taken.",
});

/** Google Calendar's API (developers.google.com/workspace/calendar/api/v3/reference). */
export const googleCalendar: Service = {
  base: "https://www.googleapis.com/calendar/v3",
  connector: "google-calendar",
  needs: "a Google sign-in",
  usual: { resource: "event", operation: "create", operations: { event: "create", calendar: "availability" } },
  calls: {
    "event.create": create,
    "event.getAll": list,
    "event.get": (work) => ({
      method: "GET",
      path: eventOf(work),
      query: presentTexts({
        timeZone: given(work, "options", "timeZone"),
        maxAttendees: given(work, "options", "maxAttendees"),
      }),
    }),
    "event.update": update,
    "event.delete": (work) => ({ method: "DELETE", path: eventOf(work), query: told(work, "options") }),
    "calendar.availability": free,
    "calendar.createEvent": create,
  },
};
