/** The file that marks a data folder as a drill's, and holds its clock: neither the server nor a real command opens one. */
export const drillMark = "drill.json";
