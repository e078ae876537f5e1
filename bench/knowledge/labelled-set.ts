/** A passage of the labelled set. The quotations are in the public domain, the rest was written for the bench. */
interface Passage {
  id: string;
  document: string;
  heading: string;
  text: string;
}

/** A question and the passage that answers it. */
export interface Question {
  text: string;
  answer: string;
  /** How it differs from the passage: the same words, other words for the same, or mistyped ones. */
  kind: "same words" | "other words" | "mistyped";
}

const passage = (id: string, document: string, heading: string, text: string): Passage => ({
  id,
  document,
  heading,
  text,
});

export const passages: readonly Passage[] = [
  passage(
    "alice-rabbit",
    "Alice's Adventures in Wonderland",
    "Down the Rabbit-Hole",
    "Alice was beginning to get very tired of sitting by her sister on the bank, and of having nothing to do: once or twice she had peeped into the book her sister was reading, but it had no pictures or conversations in it.",
  ),
  passage(
    "alice-watch",
    "Alice's Adventures in Wonderland",
    "Down the Rabbit-Hole",
    "The Rabbit actually took a watch out of its waistcoat-pocket, and looked at it, and then hurried on, and Alice started to her feet.",
  ),
  passage(
    "alice-cat",
    "Alice's Adventures in Wonderland",
    "Pig and Pepper",
    "“Well! I've often seen a cat without a grin,” thought Alice; “but a grin without a cat! It's the most curious thing I ever saw in all my life!”",
  ),
  passage(
    "pride-truth",
    "Pride and Prejudice",
    "Chapter 1",
    "It is a truth universally acknowledged, that a single man in possession of a good fortune, must be in want of a wife.",
  ),
  passage(
    "moby-ishmael",
    "Moby-Dick",
    "Loomings",
    "Call me Ishmael. Some years ago, never mind how long precisely, having little or no money in my purse, and nothing particular to interest me on shore, I thought I would sail about a little and see the watery part of the world.",
  ),
  passage(
    "tale-times",
    "A Tale of Two Cities",
    "The Period",
    "It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of foolishness, it was the epoch of belief, it was the epoch of incredulity.",
  ),
  passage(
    "holmes-woman",
    "The Adventures of Sherlock Holmes",
    "A Scandal in Bohemia",
    "To Sherlock Holmes she is always the woman. I have seldom heard him mention her under any other name. In his eyes she eclipses and predominates the whole of her sex.",
  ),
  passage(
    "lincoln-score",
    "The Gettysburg Address",
    "",
    "Four score and seven years ago our fathers brought forth on this continent, a new nation, conceived in Liberty, and dedicated to the proposition that all men are created equal.",
  ),
  passage(
    "hamlet-be",
    "Hamlet",
    "Act 3",
    "To be, or not to be, that is the question: Whether 'tis nobler in the mind to suffer the slings and arrows of outrageous fortune, or to take arms against a sea of troubles.",
  ),
  passage(
    "sonnet-summer",
    "Sonnets",
    "18",
    "Shall I compare thee to a summer's day? Thou art more lovely and more temperate: Rough winds do shake the darling buds of May, and summer's lease hath all too short a date.",
  ),
  passage(
    "moon-distance",
    "Sky",
    "The Moon",
    "The Moon is on average 384,400 kilometres away from Earth; light needs 1.3 seconds for the way.",
  ),
  passage(
    "moon-tides",
    "Sky",
    "The Moon",
    "The gravity of the Moon, and less that of the Sun, raises the tides of the oceans twice a day.",
  ),
  passage("mars-day", "Sky", "Mars", "A day on Mars lasts 24 hours and 37 minutes. Its year has 687 days of ours."),
  passage(
    "jupiter-spot",
    "Sky",
    "Jupiter",
    "The Great Red Spot of Jupiter is a storm wider than the Earth that has been watched for centuries.",
  ),
  passage(
    "sun-fusion",
    "Sky",
    "The Sun",
    "The Sun shines because hydrogen nuclei fuse into helium in its core, at fifteen million degrees.",
  ),
  passage(
    "water-boil",
    "Matter",
    "Water",
    "Water boils at 100 degrees Celsius at sea level; on high mountains the air presses less and it boils sooner.",
  ),
  passage(
    "water-ice",
    "Matter",
    "Water",
    "Ice floats because water expands when it freezes, which is why full bottles burst in the cold.",
  ),
  passage(
    "gold-dense",
    "Matter",
    "Metals",
    "Gold is so soft that it can be beaten into leaves of a ten-thousandth of a millimetre, and so dense that a litre weighs nineteen kilograms.",
  ),
  passage(
    "iron-rust",
    "Matter",
    "Metals",
    "Iron rusts when oxygen and moisture reach it; a coat of zinc keeps both away.",
  ),
  passage(
    "salt-road",
    "Matter",
    "Salt",
    "Salt strewn on roads lowers the freezing point of water, so that ice melts down to some ten degrees of frost.",
  ),
  passage(
    "bee-dance",
    "Animals",
    "Bees",
    "A honey bee that found flowers dances in the hive: the angle tells the direction, the length the distance.",
  ),
  passage(
    "octopus-heart",
    "Animals",
    "Octopuses",
    "An octopus has three hearts and blue blood; two hearts serve the gills, one the rest of the body.",
  ),
  passage(
    "swift-sleep",
    "Animals",
    "Swifts",
    "Common swifts stay in the air for ten months without landing; they eat, mate and even sleep on the wing.",
  ),
  passage(
    "cat-purr",
    "Animals",
    "Cats",
    "Cats purr when they are content, but also when they are hurt, perhaps because it calms them.",
  ),
  passage(
    "whale-song",
    "Animals",
    "Whales",
    "Male humpback whales sing for hours, and all of one sea sing the same song, which changes over the years.",
  ),
  passage(
    "bread-rise",
    "Kitchen",
    "Bread",
    "Yeast eats sugar and gives off carbon dioxide, whose bubbles make dough rise; a warm place speeds it up.",
  ),
  passage(
    "egg-fresh",
    "Kitchen",
    "Eggs",
    "A fresh egg sinks in a glass of water. The older it is, the larger its air cell and the higher it floats.",
  ),
  passage(
    "onion-tears",
    "Kitchen",
    "Onions",
    "A cut onion sets free a gas that turns to acid in the eye. A sharp knife and cold onions mean fewer tears.",
  ),
  passage(
    "coffee-grind",
    "Kitchen",
    "Coffee",
    "Coffee ground too fine tastes bitter, since too much is drawn out of it; too coarse and it is thin and sour.",
  ),
  passage(
    "honey-keep",
    "Kitchen",
    "Honey",
    "Honey does not spoil: it holds so little water that no germ can live in it. When it hardens, warm it gently.",
  ),
  passage(
    "leave-days",
    "Handbook",
    "Time off",
    "Everyone has 30 days of vacation a year. Up to five of them may be carried over until the end of March.",
  ),
  passage(
    "sick-note",
    "Handbook",
    "Illness",
    "Tell your lead on the first day of an illness. From the fourth day on a doctor's note is needed.",
  ),
  passage(
    "remote-abroad",
    "Handbook",
    "Working from elsewhere",
    "You may work from another country of the union for up to 20 days a year; ask the people team two weeks before.",
  ),
  passage(
    "expense-meal",
    "Handbook",
    "Expenses",
    "Meals on business trips are refunded up to 28 euros a day. Hand in receipts within 30 days.",
  ),
  passage(
    "train-class",
    "Handbook",
    "Travel",
    "Trips under six hours are made by train, second class; first class from four hours on.",
  ),
  passage(
    "laptop-loss",
    "Handbook",
    "Security",
    "Report a lost laptop or phone to the help desk at once, day or night, so that it can be locked from afar.",
  ),
  passage(
    "password-rule",
    "Handbook",
    "Security",
    "Passwords have at least 14 characters and live in the password manager. Nobody will ever ask you for one.",
  ),
  passage(
    "visitor-badge",
    "Handbook",
    "The office",
    "Guests sign in at the desk and wear a yellow badge; whoever invited them goes with them.",
  ),
  passage(
    "parking-space",
    "Handbook",
    "The office",
    "Cars park on the lower deck; bicycles in the cellar, where there are showers and chargers.",
  ),
  passage(
    "training-budget",
    "Handbook",
    "Learning",
    "Each person may spend 1,200 euros a year on courses, books and conferences without asking.",
  ),
  passage(
    "router-lights",
    "Router manual",
    "Lights",
    "A steady green light means that the router is connected. Blinking orange: it is being updated, do not unplug it.",
  ),
  passage(
    "router-reset",
    "Router manual",
    "Starting over",
    "Press the small button at the back with a pin for ten seconds to bring back the settings it was delivered with.",
  ),
  passage(
    "router-name",
    "Router manual",
    "Wireless",
    "Name and key of the wireless network are printed on the underside. Change both on the page 192.168.1.1.",
  ),
  passage(
    "router-range",
    "Router manual",
    "Wireless",
    "Put the router high and in the open. Thick walls, microwave ovens and metal shelves weaken the signal.",
  ),
  passage(
    "warranty",
    "Router manual",
    "Warranty",
    "Defects are repaired free of charge for 24 months from the day of purchase; keep the receipt.",
  ),
  passage(
    "shop-return",
    "Shop terms",
    "Returns",
    "Goods can be sent back within 14 days without a reason. We pay the postage and give the money back within a week.",
  ),
  passage(
    "shop-delivery",
    "Shop terms",
    "Delivery",
    "Orders placed before noon leave our store the same day and arrive after one to three working days.",
  ),
  passage(
    "shop-pay",
    "Shop terms",
    "Payment",
    "You can pay by card, by transfer or on invoice; an invoice is due after 14 days.",
  ),
];

const question = (kind: Question["kind"], text: string, answer: string): Question => ({ text, answer, kind });

export const questions: readonly Question[] = [
  question("same words", "Which book had no pictures or conversations?", "alice-rabbit"),
  question("same words", "Who took a watch out of its waistcoat pocket?", "alice-watch"),
  question("same words", "a grin without a cat", "alice-cat"),
  question("same words", "What is a truth universally acknowledged?", "pride-truth"),
  question("same words", "call me Ishmael", "moby-ishmael"),
  question("same words", "the best of times, the worst of times", "tale-times"),
  question("same words", "How many kilometres is the Moon away from Earth?", "moon-distance"),
  question("same words", "Why does ice float on water?", "water-ice"),
  question("same words", "How many hearts does an octopus have?", "octopus-heart"),
  question("same words", "How many days of vacation do I have in a year?", "leave-days"),
  question("same words", "When do I need a doctor's note for an illness?", "sick-note"),
  question("same words", "What does a blinking orange light on the router mean?", "router-lights"),
  question("same words", "Within how many days can goods be sent back?", "shop-return"),
  question("same words", "slings and arrows of outrageous fortune", "hamlet-be"),
  question("same words", "How does a honey bee tell the direction of flowers?", "bee-dance"),
  question(
    "other words",
    "Which speech opens with eighty-seven years, in old counting, since our fathers founded the nation?",
    "lincoln-score",
  ),
  question("other words", "Whom does the detective call the woman?", "holmes-woman"),
  question("other words", "poem that likens a beloved person to a day in summer", "sonnet-summer"),
  question("other words", "What makes the sea rise and fall twice daily?", "moon-tides"),
  question("other words", "How long is a year on the red planet Mars?", "mars-day"),
  question("other words", "Where does the energy of sunshine come from?", "sun-fusion"),
  question("other words", "Do potatoes cook at a lower temperature in the mountains?", "water-boil"),
  question("other words", "How can steel or iron be protected from corrosion?", "iron-rust"),
  question("other words", "What keeps streets free of ice in winter?", "salt-road"),
  question("other words", "Which birds sleep while flying?", "swift-sleep"),
  question("other words", "How can I tell whether an egg has gone old?", "egg-fresh"),
  question("other words", "Why do my eyes water when I chop onions?", "onion-tears"),
  question("other words", "My espresso is bitter, what did I do wrong with the coffee?", "coffee-grind"),
  question("other words", "My phone was stolen, whom do I tell?", "laptop-loss"),
  question("other words", "May I work two weeks from Spain?", "remote-abroad"),
  question("other words", "How much may I eat for when I travel on business?", "expense-meal"),
  question("other words", "How long must my password be?", "password-rule"),
  question("other words", "factory settings of the router", "router-reset"),
  question("other words", "When will my parcel arrive after I order?", "shop-delivery"),
  question("other words", "Where do I leave my bike at the office?", "parking-space"),
  question("mistyped", "humback wales song", "whale-song"),
  question("mistyped", "why does doug rise yeest", "bread-rise"),
  question("mistyped", "waranty of the ruoter", "warranty"),
  question("mistyped", "great red sopt jupitr", "jupiter-spot"),
  question("mistyped", "can i pay by invoize", "shop-pay"),
];
