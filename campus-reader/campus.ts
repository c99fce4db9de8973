import type { z } from "zod";
import type { ProductWords } from "../words/keys.d.ts";
import type { faqItemSchema, Landing, labelsSchema } from "./content-schema.ts";
import type { DataNames } from "./facts.ts";
import type { LegalDocument } from "./legal.ts";
import type { Notice } from "./notices.ts";
import type { OwnPage } from "./pages.ts";
import type { Post } from "./posts.ts";
import type { CampusSettings } from "./schema.ts";
import type { Untranslated } from "./texts.ts";

export type FaqItem = z.infer<ReturnType<typeof faqItemSchema>> & Untranslated;

/** All content of a campus in one language, parsed and validated. */
export type Campus = DataNames & {
  /** The campus's settings, with names in this language. */
  settings: CampusSettings;
  landing: Landing;
  interface: ProductWords["interface"] & z.infer<typeof labelsSchema>;
  faq: FaqItem[];
  deletion: ProductWords["deletion"] & { form: { reasons: Reasons } };
  /** Names of all kinds of email, including kinds that are no longer sent. */
  mail: ProductWords["mail"] & { mailKinds: Readonly<Record<string, string>> };
  operator: ProductWords["operator"];
  legal: { privacy: LegalDocument; terms: LegalDocument };
  notices: Notice[];
  /** Pages that the campus adds at `/NAME`. */
  pages: OwnPage[];
};

/** Reasons in a campus's form. A campus can omit any reason except "other". */
type Reasons = Partial<ProductWords["deletion"]["form"]["reasons"]> & { other: string };

/** The campus in its default language, with its translations. Posts are sorted newest first. */
export type LoadedCampus = WithPosts & { translations: WithPosts[] };

export type WithPosts = Campus & { posts: Post[] };
