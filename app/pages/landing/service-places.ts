/** A class of services.module.css; without one, three rows where it is available, and else one. */
export type ServicePlace = "two" | "one" | "wide" | undefined;

/**
 * Where services stand on a screen that is wide enough for two columns, those that run first. A single one that runs has
 * two or three to come beside it, as high as they are together; else each kind stands in pairs, and what is left over of a
 * pair has the row to itself, so that none is half empty.
 */
export function placeServices<Service extends { status: "available" | "coming" }>(
  services: readonly Service[],
): { item: Service; place: ServicePlace }[] {
  const live = services.filter(({ status }) => status === "available");
  const coming = services.filter(({ status }) => status === "coming");
  const [only] = live;
  if (only && live.length === 1 && coming.length > 1) {
    const place = coming.length === 2 ? "two" : undefined;
    return [{ item: only, place }, ...coming.map((item) => ({ item, place: undefined }))];
  }
  return [live, coming].flatMap((kind) =>
    kind.map((item, index) => {
      if (kind.length % 2 === 1 && index === kind.length - 1)
        return { item, place: "wide" as const };
      return { item, place: kind === live ? ("one" as const) : undefined };
    }),
  );
}
