/** Looks of the people in the drawings, and their clothes. */
import type { Motifs } from "../../campus-reader/choices.ts";
import { type Paint, paint } from "./pen.tsx";

export type Headwear = "short" | "curly" | "pony" | "bun" | "hijab" | "helmet" | "cap" | "bobble";

export type Cut = "shirt" | "kameez" | "coat";

/** A person's look: everything that can differ between two people in a picture. */
export type Look = {
  skin?: Paint;
  headwear?: Headwear;
  /** Hijab, helmet, cap or woollen hat. */
  headColour?: Paint;
  top?: Paint;
  /** A kameez flares to the knee and has a hem; a coat ends above it. */
  cut?: Cut;
  hem?: Paint;
  sleeves?: "short" | "long";
  legs?: Paint;
  shoes?: Paint;
  backpack?: Paint;
  /** A cloth around the neck: gamcha, orna or woollen scarf. */
  scarf?: Paint;
};

/** Defaults of a look. */
const usual = {
  skin: paint.skin1,
  headwear: "short",
  headColour: paint.peacock,
  top: paint.marigold,
  cut: "shirt",
  hem: paint.marigold,
  sleeves: "short",
  legs: paint.jeans,
  shoes: paint.cream,
} as const satisfies Look;

export const looks = {
  driver: { top: paint.cream, scarf: paint.rani },
  hijabi: {
    headwear: "hijab",
    top: paint.rani,
    cut: "kameez",
    sleeves: "long",
    legs: paint.cream,
  },
  passenger: {
    headwear: "hijab",
    headColour: paint.leaf,
    top: paint.marigold,
    cut: "kameez",
    sleeves: "long",
    legs: paint.cream,
    shoes: paint.rani,
  },
  pony: {
    skin: paint.skin2,
    headwear: "pony",
    top: paint.leaf,
    cut: "kameez",
    legs: paint.rani,
  },
  student: { skin: paint.skin3 },
  rider: {
    headwear: "helmet",
    headColour: paint.rani,
    top: paint.peacock,
    sleeves: "long",
  },
} as const satisfies Record<string, Look>;

/** A look with all defaults filled in. */
export type Dressed = Look & Required<Pick<Look, keyof typeof usual>>;

/** Dresses a person from head to foot in the clothes of a place. */
export function dressFor(motifs: Motifs, look: Look): Dressed {
  return { ...usual, ...(motifs === "delta" ? look : dressElsewhere(motifs, look)) };
}

/** Dresses the same person for another place: coat and woollen hat by a lake, otherwise a shirt. */
function dressElsewhere(motifs: Motifs, look: Look): Look {
  const tunic = look.cut === "kameez";
  const hooded = look.headwear === "hijab";
  const { hem, scarf, ...own } = look;
  const plain: Look = {
    ...own,
    ...(tunic && { legs: paint.jeans }),
    ...(look.shoes === paint.rani && { shoes: paint.cream }),
  };
  if (motifs === "plain") {
    return {
      ...plain,
      ...(tunic && { cut: "shirt" as const }),
      ...(hooded && { headwear: "bun" as const }),
    };
  }
  return {
    ...plain,
    sleeves: "long",
    ...(tunic && { cut: "coat" as const }),
    ...(hooded && { headwear: "bobble" as const }),
    // Everyone without a hat gets a scarf.
    ...(tunic && !hooded && { scarf: scarf ?? paint.cream }),
  };
}
