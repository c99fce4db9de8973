/** The drawings of the site that the build writes to files and `<img>` shows. */
import { campusPictures } from "./campus-pictures.tsx";
import { heroPictures } from "./hero-pictures.tsx";
import type { HeroVehicle } from "./hero-vehicle.ts";
import { iconPictures } from "./icon-pictures.tsx";
import { noticePictures } from "./notice-pictures.tsx";
import { parkedBike } from "./parked-bike.tsx";
import type { Picture } from "./picture.ts";
import { postPictures } from "./post-pictures.tsx";
import { routePictures } from "./route-bike.tsx";
import { servicePictures } from "./service-pictures.tsx";
import { stepPictures } from "./step-pictures.tsx";
import { storeCodes } from "./store-codes.tsx";
import { tilePictures } from "./tile-pictures.tsx";

export { postPictures };

/** What a campus has to say about its drawings. */
export type PictureWishes = {
  heroVehicle: HeroVehicle;
  services: Parameters<typeof servicePictures>[0];
  /** Names of the drawings that its posts and categories show, without "post-". */
  posts: readonly string[];
  /** Addresses of the app in the shops that have it. */
  stores: readonly string[];
};

/** The drawings that a campus shows. */
export function picturesFor({
  heroVehicle,
  services,
  posts,
  stores,
}: PictureWishes): readonly Picture[] {
  return [
    ...heroPictures(heroVehicle),
    ...servicePictures(services),
    ...stepPictures,
    ...tilePictures,
    ...noticePictures,
    parkedBike,
    ...campusPictures(heroVehicle),
    ...iconPictures,
    ...postPictures.filter(({ name }) => posts.includes(name.replace(/^post-/, ""))),
    ...routePictures,
    ...storeCodes(stores),
  ];
}

/** Every drawing there is, to look at. */
export const pictures: readonly Picture[] = picturesFor({
  heroVehicle: "rickshaw",
  services: (["bike", "rickshaw", "food", "assist"] as const).map((id) => ({
    id,
    status: "available",
  })),
  posts: postPictures.map(({ name }) => name.replace(/^post-/, "")),
  stores: [],
});
