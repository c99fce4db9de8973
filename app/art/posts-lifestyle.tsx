/** Blog pictures of the lifestyle posts. */
import type { Picture } from "./picture.ts";

export const lifestylePictures: readonly Picture[] = [];
