import type { CampusCalendar } from "./schema.ts";

/**
 * The days on which nobody here works on a deletion request. Weekend days are ISO numbers (Monday 1 … Sunday 7).
 * What falls on the same day each year stands once, in `everyYear`. Feasts that follow the moon are entered by date, as
 * announced or, until the announcement, as expected: compare the table with the government's gazette when it appears
 * and correct it here. Every date stays in the table, past ones too. A weekend day on which the campus works, because a
 * holiday was made longer elsewhere, goes into `workingDays`. `npm run calendar -- show 2027` prints what comes of it.
 */
export const calendar: CampusCalendar = {
  weekend: [5, 6],
  everyYear: [
    { day: "02-21", name: "Shaheed Day and International Mother Language Day" },
    { day: "03-26", name: "Independence Day" },
    { day: "04-14", name: "Pohela Boishakh, Bangla New Year" },
    { day: "05-01", name: "May Day" },
    { day: "08-05", name: "July Mass Uprising Day" },
    { day: "12-16", name: "Victory Day" },
    { day: "12-25", name: "Christmas Day" },
  ],
  workingDays: [],
  holidays: [
    { date: "2026-02-04", name: "Shab-e-Barat" },
    { date: "2026-03-17", name: "Shab-e-Qadr" },
    { date: "2026-03-18", name: "Eid-ul-Fitr holiday" },
    { date: "2026-03-19", name: "Eid-ul-Fitr holiday" },
    { date: "2026-03-20", name: "Eid-ul-Fitr holiday" },
    { date: "2026-03-21", name: "Eid-ul-Fitr" },
    { date: "2026-03-22", name: "Eid-ul-Fitr holiday" },
    { date: "2026-03-23", name: "Eid-ul-Fitr holiday" },
    { date: "2026-05-01", name: "May Day and Buddha Purnima" },
    { date: "2026-05-26", name: "Eid-ul-Azha holiday" },
    { date: "2026-05-27", name: "Eid-ul-Azha holiday" },
    { date: "2026-05-28", name: "Eid-ul-Azha" },
    { date: "2026-05-29", name: "Eid-ul-Azha holiday" },
    { date: "2026-05-30", name: "Eid-ul-Azha holiday" },
    { date: "2026-05-31", name: "Eid-ul-Azha holiday" },
    { date: "2026-06-26", name: "Ashura" },
    { date: "2026-08-26", name: "Eid-e-Miladunnabi" },
    { date: "2026-09-04", name: "Janmashtami" },
    { date: "2026-10-20", name: "Durga Puja" },
    { date: "2026-10-21", name: "Durga Puja, Bijoya Dashami" },
    { date: "2027-01-24", name: "Shab-e-Barat" },
    { date: "2027-03-07", name: "Shab-e-Qadr" },
    { date: "2027-03-09", name: "Eid-ul-Fitr holiday" },
    { date: "2027-03-10", name: "Eid-ul-Fitr" },
    { date: "2027-03-11", name: "Eid-ul-Fitr holiday" },
    { date: "2027-05-16", name: "Eid-ul-Azha holiday" },
    { date: "2027-05-17", name: "Eid-ul-Azha" },
    { date: "2027-05-18", name: "Eid-ul-Azha holiday" },
    { date: "2027-05-20", name: "Buddha Purnima" },
    { date: "2027-06-16", name: "Ashura" },
    { date: "2027-08-16", name: "Eid-e-Miladunnabi" },
    { date: "2027-08-25", name: "Janmashtami" },
    { date: "2027-10-09", name: "Durga Puja, Bijoya Dashami" },
  ],
};
