import type { CampusCalendar } from "./schema.ts";

/**
 * The days on which nobody here works on a deletion request. Weekend days are ISO numbers (Monday 1 … Sunday 7).
 * What falls on the same day each year stands once, in `everyYear`. Feasts that follow the moon are entered by date, as
 * announced or, until the announcement, as expected: compare the table with the government's gazette when it appears
 * and correct it here. Every date stays in the table, past ones too. A weekend day on which the campus works, because a
 * holiday was made longer elsewhere, goes into `workingDays`. What a holiday is called in each language stands once, at
 * the end. `npm run calendar -- show 2027` prints what comes of it.
 */
export const calendar: CampusCalendar = {
  weekend: [5, 6],
  everyYear: [
    { day: "02-21", holiday: "mother-language-day" },
    { day: "03-26", holiday: "independence-day" },
    { day: "04-14", holiday: "pohela-boishakh" },
    { day: "05-01", holiday: "may-day" },
    { day: "08-05", holiday: "july-mass-uprising-day" },
    { day: "12-16", holiday: "victory-day" },
    { day: "12-25", holiday: "christmas-day" },
  ],
  workingDays: [],
  holidays: [
    { date: "2026-02-04", holiday: "shab-e-barat" },
    { date: "2026-03-17", holiday: "shab-e-qadr" },
    { date: "2026-03-18", holiday: "eid-ul-fitr-holiday" },
    { date: "2026-03-19", holiday: "eid-ul-fitr-holiday" },
    { date: "2026-03-20", holiday: "eid-ul-fitr-holiday" },
    { date: "2026-03-21", holiday: "eid-ul-fitr" },
    { date: "2026-03-22", holiday: "eid-ul-fitr-holiday" },
    { date: "2026-03-23", holiday: "eid-ul-fitr-holiday" },
    { date: "2026-05-01", holiday: "may-day-and-buddha-purnima" },
    { date: "2026-05-26", holiday: "eid-ul-azha-holiday" },
    { date: "2026-05-27", holiday: "eid-ul-azha-holiday" },
    { date: "2026-05-28", holiday: "eid-ul-azha" },
    { date: "2026-05-29", holiday: "eid-ul-azha-holiday" },
    { date: "2026-05-30", holiday: "eid-ul-azha-holiday" },
    { date: "2026-05-31", holiday: "eid-ul-azha-holiday" },
    { date: "2026-06-26", holiday: "ashura" },
    { date: "2026-08-26", holiday: "eid-e-miladunnabi" },
    { date: "2026-09-04", holiday: "janmashtami" },
    { date: "2026-10-20", holiday: "durga-puja" },
    { date: "2026-10-21", holiday: "bijoya-dashami" },
    { date: "2027-01-24", holiday: "shab-e-barat" },
    { date: "2027-03-07", holiday: "shab-e-qadr" },
    { date: "2027-03-09", holiday: "eid-ul-fitr-holiday" },
    { date: "2027-03-10", holiday: "eid-ul-fitr" },
    { date: "2027-03-11", holiday: "eid-ul-fitr-holiday" },
    { date: "2027-05-16", holiday: "eid-ul-azha-holiday" },
    { date: "2027-05-17", holiday: "eid-ul-azha" },
    { date: "2027-05-18", holiday: "eid-ul-azha-holiday" },
    { date: "2027-05-20", holiday: "buddha-purnima" },
    { date: "2027-06-16", holiday: "ashura" },
    { date: "2027-08-16", holiday: "eid-e-miladunnabi" },
    { date: "2027-08-25", holiday: "janmashtami" },
    { date: "2027-10-09", holiday: "bijoya-dashami" },
  ],
  names: {
    "mother-language-day": {
      en: "Shaheed Day and International Mother Language Day",
      bn: "শহিদ দিবস ও আন্তর্জাতিক মাতৃভাষা দিবস",
    },
    "independence-day": { en: "Independence Day", bn: "স্বাধীনতা দিবস" },
    "pohela-boishakh": { en: "Pohela Boishakh, Bangla New Year", bn: "পহেলা বৈশাখ, বাংলা নববর্ষ" },
    "may-day": { en: "May Day", bn: "মে দিবস" },
    "july-mass-uprising-day": { en: "July Mass Uprising Day", bn: "জুলাই গণঅভ্যুত্থান দিবস" },
    "victory-day": { en: "Victory Day", bn: "বিজয় দিবস" },
    "christmas-day": { en: "Christmas Day", bn: "বড়দিন" },
    "shab-e-barat": { en: "Shab-e-Barat", bn: "শবে বরাত" },
    "shab-e-qadr": { en: "Shab-e-Qadr", bn: "শবে কদর" },
    "eid-ul-fitr-holiday": { en: "Eid-ul-Fitr holiday", bn: "ঈদুল ফিতরের ছুটি" },
    "eid-ul-fitr": { en: "Eid-ul-Fitr", bn: "ঈদুল ফিতর" },
    "may-day-and-buddha-purnima": { en: "May Day and Buddha Purnima", bn: "মে দিবস ও বুদ্ধ পূর্ণিমা" },
    "eid-ul-azha-holiday": { en: "Eid-ul-Azha holiday", bn: "ঈদুল আজহার ছুটি" },
    "eid-ul-azha": { en: "Eid-ul-Azha", bn: "ঈদুল আজহা" },
    ashura: { en: "Ashura", bn: "আশুরা" },
    "eid-e-miladunnabi": { en: "Eid-e-Miladunnabi", bn: "ঈদে মিলাদুন্নবী" },
    janmashtami: { en: "Janmashtami", bn: "জন্মাষ্টমী" },
    "durga-puja": { en: "Durga Puja", bn: "দুর্গাপূজা" },
    "bijoya-dashami": { en: "Durga Puja, Bijoya Dashami", bn: "দুর্গাপূজা, বিজয়া দশমী" },
    "buddha-purnima": { en: "Buddha Purnima", bn: "বুদ্ধ পূর্ণিমা" },
  },
};
