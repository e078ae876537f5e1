/** What the shop of the support template tells its customers; three short pages, so that a search has something to choose. */
export const supportDocuments: readonly { name: string; text: string }[] = [
  {
    name: "Returns and refunds.md",
    text: `# Returns and refunds

## How long you have

You can return a lamp within 30 days after it was delivered. It must be clean, complete and in its original box. Bulbs that were opened cannot be returned, except when they are faulty.

## How to return something

Write to returns@lumenandoak.example with your order number. You get a label by e-mail within one working day. Stick it on the box and hand the parcel in at any post office. The label is free in the European Union; from other countries the postage is yours.

## When the money comes back

We check a return within two working days after it has arrived. The refund goes to the card or account that paid, and shows there after three to five working days. Delivery costs are refunded only when we sent the wrong lamp or a faulty one.

## Exchanging a lamp

We do not swap lamps by post. Return the one you have and order the other one, so that it is reserved for you at once.
`,
  },
  {
    name: "Shipping.md",
    text: `# Shipping

## Delivery times

Lamps in stock leave our workshop on the next working day. Parcels take two to three working days within Germany, three to six in the rest of the European Union, and up to twelve elsewhere. Made-to-order shades need four weeks before they ship.

## Delivery costs

Delivery in Germany is free above 80 euros and costs 5.90 euros below that. To the rest of the European Union it costs 12 euros, to all other countries 29 euros. Customs duties outside the European Union are paid by the receiver.

## Tracking a parcel

You get a tracking link by e-mail as soon as the parcel is handed over. If the link shows no movement for five working days, write to us and we open an inquiry with the carrier.

## Damaged in transit

Photograph the box and the lamp on the day it arrives and send us the pictures. We send a new one at no cost, without waiting for the carrier's answer.
`,
  },
  {
    name: "Care and warranty.md",
    text: `# Care and warranty

## Cleaning

Switch the lamp off and let it cool for ten minutes. Wipe oak with a dry cloth and oil it once a year with clear linseed oil. Brass may be polished; lacquered brass must not be. Linen shades are brushed, never washed.

## Which bulb fits

All table lamps take E14 bulbs of at most 40 watts, all floor and pendant lamps E27 bulbs of at most 60 watts. LED bulbs fit everywhere. The dimmer of the Alder floor lamp needs bulbs that are marked as dimmable, otherwise they flicker.

## Warranty

Every lamp has a warranty of five years on its frame and wiring, and of two years on switches and dimmers. It covers faults of material and making; it does not cover wear, wrong bulbs, or repairs by others. Keep the invoice, it is your proof of purchase.

## Spare parts

Switches, cables and shades are available for ten years after a lamp was last made. Tell us the model name under the base and we send an offer.
`,
  },
];
