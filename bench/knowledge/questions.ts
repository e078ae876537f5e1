/** A question and the passage that answers it. */
export interface Question {
  text: string;
  answer: string;
  /** How it differs from the passage: the same words, other words for the same, or mistyped ones. */
  kind: "same words" | "other words" | "mistyped";
}

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
