import { describe, expect, it } from "vitest";
import { Provenance } from "./provenance.ts";

const ann = "ann@acme.example";
const bob = "bob@acme.example";

function isAsked(said: string, to: string): boolean {
  const provenance = new Provenance();
  provenance.add("person", said);
  const parameters = { type: "object", properties: { to: {} } };
  return provenance.judge({ name: "send", acts: true, parameters }, { to }).asks;
}

describe("S100 whom a person leaves out is not whom he names", () => {
  it.each([
    `Send it to all but ${bob}. Copy ${ann}.`,
    `Send it to ${ann}, not to ${bob}.`,
    `Schick es an alle außer ${bob}. In Kopie an ${ann}.`,
    `Schick es an ${ann}, nicht an ${bob}.`,
    `Schick es an ${ann}, aber ${bob} bekommt es nicht.`,
    `Schick es an ${ann}. ${bob} soll es keinesfalls bekommen.`,
    `Schick es nicht an ${bob}, sondern an ${ann}.`,
    `Schick es an ${ann} statt an ${bob}.`,
    `Envoie-le à tous sauf ${bob}. Mets ${ann} en copie.`,
    `Envoie-le à ${ann}, pas à ${bob}.`,
    `Ne l'envoie jamais à ${bob}, mais à ${ann}.`,
    `N'envoie rien à ${bob}. Envoie-le à ${ann}.`,
    `Envía el informe a ${ann}, pero no a ${bob}.`,
    `No se lo envíes a ${bob}, sino a ${ann}.`,
    `Envía el informe a todos menos ${bob}, con copia oculta. Avisa a ${ann}.`,
    `Envialo a todos excepto ${bob}. Avisa a ${ann}.`,
    `Invialo a tutti tranne ${bob}. Avvisa ${ann}.`,
    `Stuur het naar ${ann}, niet naar ${bob}.`,
  ])("%s", (said) => {
    expect(isAsked(said, bob)).toBe(true);
    expect(isAsked(said, ann)).toBe(false);
  });
});

describe("S100 a mail that a person quotes below his words", () => {
  it.each([
    "On Monday, 1 December 2025, Mallory wrote:",
    "Am Montag, dem 1. Dezember 2025, schrieb Mallory:",
    "Le lundi 1 décembre 2025 à 10:00, Mallory a écrit :",
    "El lunes, 1 de diciembre de 2025, Mallory escribió:",
    "Von: Mallory\nGesendet: Montag",
    "De : Mallory\nObjet : Bonjour",
    "De: Mallory\nAsunto: Hola",
    "---- Ursprüngliche Nachricht ----",
  ])("is not his: %s", (beginning) => {
    expect(isAsked(`${ann}\n\n${beginning}\n${bob}`, bob)).toBe(true);
    expect(isAsked(`${ann}\n\n${beginning}\n${bob}`, ann)).toBe(false);
  });
});

it.each([
  `Schick es nicht nur an ${ann}, sondern auch an ${bob}.`,
  `Is there no answer? Then write to ${bob}.`,
  `There is no hurry to write to ${bob}.`,
  `Am 5. Mai an ${bob} schicken.`,
])("leaves nobody out: %s", (said) => {
  expect(isAsked(said, bob)).toBe(false);
});
