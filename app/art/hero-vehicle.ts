/** What may drive in the first view. A rickshaw's hood can be painted by whoever looks at it. */
export const heroVehicles = ["rickshaw", "motorbike"] as const;
export type HeroVehicle = (typeof heroVehicles)[number];
