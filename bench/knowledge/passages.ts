/** A passage of the labelled set. The quotations are in the public domain, the rest was written for the bench. */
interface Passage {
  id: string;
  document: string;
  heading: string;
  text: string;
}

/** The passages below one heading of a document, by id. */
function below(document: string, heading: string, texts: Record<string, string>): Passage[] {
  return Object.entries(texts).map(([id, text]) => ({ id, document, heading, text }));
}

export const passages: readonly Passage[] = [
  ...below("Alice's Adventures in Wonderland", "Down the Rabbit-Hole", {
    "alice-rabbit":
      "Alice was beginning to get very tired of sitting by her sister on the bank, and of having nothing to do: once or twice she had peeped into the book her sister was reading, but it had no pictures or conversations in it.",
    "alice-watch":
      "The Rabbit actually took a watch out of its waistcoat-pocket, and looked at it, and then hurried on, and Alice started to her feet.",
  }),
  ...below("Alice's Adventures in Wonderland", "Pig and Pepper", {
    "alice-cat":
      "“Well! I've often seen a cat without a grin,” thought Alice; “but a grin without a cat! It's the most curious thing I ever saw in all my life!”",
  }),
  ...below("Pride and Prejudice", "Chapter 1", {
    "pride-truth":
      "It is a truth universally acknowledged, that a single man in possession of a good fortune, must be in want of a wife.",
  }),
  ...below("Moby-Dick", "Loomings", {
    "moby-ishmael":
      "Call me Ishmael. Some years ago, never mind how long precisely, having little or no money in my purse, and nothing particular to interest me on shore, I thought I would sail about a little and see the watery part of the world.",
  }),
  ...below("A Tale of Two Cities", "The Period", {
    "tale-times":
      "It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of foolishness, it was the epoch of belief, it was the epoch of incredulity.",
  }),
  ...below("The Adventures of Sherlock Holmes", "A Scandal in Bohemia", {
    "holmes-woman":
      "To Sherlock Holmes she is always the woman. I have seldom heard him mention her under any other name. In his eyes she eclipses and predominates the whole of her sex.",
  }),
  ...below("The Gettysburg Address", "", {
    "lincoln-score":
      "Four score and seven years ago our fathers brought forth on this continent, a new nation, conceived in Liberty, and dedicated to the proposition that all men are created equal.",
  }),
  ...below("Hamlet", "Act 3", {
    "hamlet-be":
      "To be, or not to be, that is the question: Whether 'tis nobler in the mind to suffer the slings and arrows of outrageous fortune, or to take arms against a sea of troubles.",
  }),
  ...below("Sonnets", "18", {
    "sonnet-summer":
      "Shall I compare thee to a summer's day? Thou art more lovely and more temperate: Rough winds do shake the darling buds of May, and summer's lease hath all too short a date.",
  }),
  ...below("Sky", "The Moon", {
    "moon-distance": "The Moon is on average 384,400 kilometres away from Earth; light needs 1.3 seconds for the way.",
    "moon-tides": "The gravity of the Moon, and less that of the Sun, raises the tides of the oceans twice a day.",
  }),
  ...below("Sky", "Mars", {
    "mars-day": "A day on Mars lasts 24 hours and 37 minutes. Its year has 687 days of ours.",
  }),
  ...below("Sky", "Jupiter", {
    "jupiter-spot":
      "The Great Red Spot of Jupiter is a storm wider than the Earth that has been watched for centuries.",
  }),
  ...below("Sky", "The Sun", {
    "sun-fusion": "The Sun shines because hydrogen nuclei fuse into helium in its core, at fifteen million degrees.",
  }),
  ...below("Matter", "Water", {
    "water-boil":
      "Water boils at 100 degrees Celsius at sea level; on high mountains the air presses less and it boils sooner.",
    "water-ice": "Ice floats because water expands when it freezes, which is why full bottles burst in the cold.",
  }),
  ...below("Matter", "Metals", {
    "gold-dense":
      "Gold is so soft that it can be beaten into leaves of a ten-thousandth of a millimetre, and so dense that a litre weighs nineteen kilograms.",
    "iron-rust": "Iron rusts when oxygen and moisture reach it; a coat of zinc keeps both away.",
  }),
  ...below("Matter", "Salt", {
    "salt-road":
      "Salt strewn on roads lowers the freezing point of water, so that ice melts down to some ten degrees of frost.",
  }),
  ...below("Animals", "Bees", {
    "bee-dance":
      "A honey bee that found flowers dances in the hive: the angle tells the direction, the length the distance.",
  }),
  ...below("Animals", "Octopuses", {
    "octopus-heart":
      "An octopus has three hearts and blue blood; two hearts serve the gills, one the rest of the body.",
  }),
  ...below("Animals", "Swifts", {
    "swift-sleep":
      "Common swifts stay in the air for ten months without landing; they eat, mate and even sleep on the wing.",
  }),
  ...below("Animals", "Cats", {
    "cat-purr": "Cats purr when they are content, but also when they are hurt, perhaps because it calms them.",
  }),
  ...below("Animals", "Whales", {
    "whale-song":
      "Male humpback whales sing for hours, and all of one sea sing the same song, which changes over the years.",
  }),
  ...below("Kitchen", "Bread", {
    "bread-rise":
      "Yeast eats sugar and gives off carbon dioxide, whose bubbles make dough rise; a warm place speeds it up.",
  }),
  ...below("Kitchen", "Eggs", {
    "egg-fresh":
      "A fresh egg sinks in a glass of water. The older it is, the larger its air cell and the higher it floats.",
  }),
  ...below("Kitchen", "Onions", {
    "onion-tears":
      "A cut onion sets free a gas that turns to acid in the eye. A sharp knife and cold onions mean fewer tears.",
  }),
  ...below("Kitchen", "Coffee", {
    "coffee-grind":
      "Coffee ground too fine tastes bitter, since too much is drawn out of it; too coarse and it is thin and sour.",
  }),
  ...below("Kitchen", "Honey", {
    "honey-keep":
      "Honey does not spoil: it holds so little water that no germ can live in it. When it hardens, warm it gently.",
  }),
  ...below("Handbook", "Time off", {
    "leave-days":
      "Everyone has 30 days of vacation a year. Up to five of them may be carried over until the end of March.",
  }),
  ...below("Handbook", "Illness", {
    "sick-note": "Tell your lead on the first day of an illness. From the fourth day on a doctor's note is needed.",
  }),
  ...below("Handbook", "Working from elsewhere", {
    "remote-abroad":
      "You may work from another country of the union for up to 20 days a year; ask the people team two weeks before.",
  }),
  ...below("Handbook", "Expenses", {
    "expense-meal": "Meals on business trips are refunded up to 28 euros a day. Hand in receipts within 30 days.",
  }),
  ...below("Handbook", "Travel", {
    "train-class": "Trips under six hours are made by train, second class; first class from four hours on.",
  }),
  ...below("Handbook", "Security", {
    "laptop-loss":
      "Report a lost laptop or phone to the help desk at once, day or night, so that it can be locked from afar.",
    "password-rule":
      "Passwords have at least 14 characters and live in the password manager. Nobody will ever ask you for one.",
  }),
  ...below("Handbook", "The office", {
    "visitor-badge": "Guests sign in at the desk and wear a yellow badge; whoever invited them goes with them.",
    "parking-space": "Cars park on the lower deck; bicycles in the cellar, where there are showers and chargers.",
  }),
  ...below("Handbook", "Learning", {
    "training-budget": "Each person may spend 1,200 euros a year on courses, books and conferences without asking.",
  }),
  ...below("Router manual", "Lights", {
    "router-lights":
      "A steady green light means that the router is connected. Blinking orange: it is being updated, do not unplug it.",
  }),
  ...below("Router manual", "Starting over", {
    "router-reset":
      "Press the small button at the back with a pin for ten seconds to bring back the settings it was delivered with.",
  }),
  ...below("Router manual", "Wireless", {
    "router-name":
      "Name and key of the wireless network are printed on the underside. Change both on the page 192.168.1.1.",
    "router-range":
      "Put the router high and in the open. Thick walls, microwave ovens and metal shelves weaken the signal.",
  }),
  ...below("Router manual", "Warranty", {
    warranty: "Defects are repaired free of charge for 24 months from the day of purchase; keep the receipt.",
  }),
  ...below("Shop terms", "Returns", {
    "shop-return":
      "Goods can be sent back within 14 days without a reason. We pay the postage and give the money back within a week.",
  }),
  ...below("Shop terms", "Delivery", {
    "shop-delivery":
      "Orders placed before noon leave our store the same day and arrive after one to three working days.",
  }),
  ...below("Shop terms", "Payment", {
    "shop-pay": "You can pay by card, by transfer or on invoice; an invoice is due after 14 days.",
  }),
];
