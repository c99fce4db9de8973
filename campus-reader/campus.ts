import type { z } from "zod";
import type { ProductWords } from "../words/keys.d.ts";
import type { faqSchema, Landing, labelsSchema } from "./content-schema.ts";
import type { DataNames } from "./facts.ts";
import type { LegalDocument } from "./legal.ts";
import type { Post } from "./posts.ts";
import type { CampusSettings } from "./schema.ts";
import type { Untranslated } from "./texts.ts";

export type FaqItem = z.infer<typeof faqSchema>[number] & Untranslated;

/** Everything a page shows in one language, read and checked. */
export type Campus = DataNames & {
  /** Settings in this language, which they name. */
  settings: CampusSettings;
  landing: Landing;
  interface: ProductWords["interface"] & z.infer<typeof labelsSchema>;
  faq: FaqItem[];
  deletion: ProductWords["deletion"] & { form: { reasons: Reasons } };
  /** Names of mail kinds, former kinds included. */
  mail: ProductWords["mail"] & { mailKinds: Readonly<Record<string, string>> };
  operator: ProductWords["operator"];
  legal: { privacy: LegalDocument; terms: LegalDocument };
};

/** Reasons of a campus, which can leave some out; "other" is always there. */
type Reasons = Partial<ProductWords["deletion"]["form"]["reasons"]> & { other: string };

/** The campus in its first language, its posts newest first, and in its other languages. */
export type LoadedCampus = WithPosts & { translations: WithPosts[] };

export type WithPosts = Campus & { posts: Post[] };
