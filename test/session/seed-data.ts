/** Inputs that the document of the seed prints results for. */

/** The table of the document: a hundred employees. */
export const employees = (departments = ["Eng", "Marketing", "Design", "Sales"]): Record<string, unknown>[] =>
  Array.from({ length: 100 }, (_, i) => ({
    name: `Employee ${i}`,
    department: departments[i % 4],
    salary: 60_000 + i * 500,
  }));

/** The papers of its sample task. */
export const papers = [
  { title: "Quantum Error Correction Advances", year: 2025, authors: "Chen et al." },
  { title: "Topological Quantum Computing Survey", year: 2024, authors: "Nakamura et al." },
  { title: "Fault-Tolerant Logical Qubits", year: 2024, authors: "Wang et al." },
];

/** The text of its sample artifact. */
export const abstract = [
  "Quantum computing has seen rapid advances in error correction.",
  "Recent work demonstrates fault-tolerant logical qubits at scale.",
  "This paper surveys progress in quantum error correction from 2023-2025.",
  "We review surface codes, color codes, and novel hybrid approaches.",
  "Key results include a 10x reduction in logical error rates.",
  "These improvements bring practical quantum computing closer to reality.",
  "We also discuss remaining challenges in qubit connectivity.",
  "Finally, we outline a roadmap for achieving fault-tolerant quantum computation.",
].join("\n");

/** What its sample task says. */
export const found =
  "I found three recent papers on quantum computing and retrieved the abstract for the most recent one.";

const text = (average: number, stdev: number, minimum: number, maximum: number, sample: string) => [
  {
    name: "string",
    count: 100,
    percentage: 100,
    sample_value: sample,
    length_minimum: minimum,
    length_maximum: maximum,
    length_average: average,
    length_stdev: stdev,
  },
];

/**
 * The summary of the table as it is printed, for the departments that it is printed for: the document calls `Eng`
 * "Engineering" in the result. Its samples are any value of the column; here it is the first.
 */
export const employeeColumns = [
  { count: 100, unique_count: 100, types: text(10.9, 0.3, 10, 11, "Employee 0"), name: "name" },
  { count: 100, unique_count: 4, types: text(7.75, 2.4, 5, 11, "Engineering"), name: "department" },
  {
    count: 100,
    unique_count: 100,
    types: [
      {
        name: "int",
        count: 100,
        percentage: 100,
        sample_value: 60_000,
        minimum: 60_000,
        maximum: 109_500,
        average: 84_750,
        stdev: 14_505.75,
      },
    ],
    name: "salary",
  },
];

/** The departments of the printed result. */
export const printedDepartments = ["Engineering", "Marketing", "Design", "Sales"];

/** What the document leaves out of its salaries ("~100 salary values total, with some nulls"), so that its result holds. */
const elided = [
  75251, 138650, 64000, 55147, 136095, 80638, 70497, 88263, 54969, 60500, 65446, 100000, 71626, 117081, 98500,
  45000, 89907, 106485, 85094, 55682, 133580, 98500, 110605, 64555, 98721, 96879, 74003, 69408, 90000, 126271,
  72795, 56573, 55048, 67348, 56950, 102524, 62891, 58851, 123915, 104485, 55286, 54989, 62119, 79232, 97000,
  90000, 57365, 114883, 60039, 66377, 95077, 58316, 59425, 131104, 76538, 143879, 93314, 77865, 108525, 61386,
  55464, 91591, 86659, 64000, 68358, 60500, 56237, 97000, 100000, 82084, 112724, 128668, 146553, 55939, 83569,
  141245, 149267, 119319, 185000, 57821, 60693, 121597, 63703, 100603,
];

/** Its salaries: those that it prints, with the others between. */
export const salaries = [
  ...[95_000, 72_000, 105_000, 68_000, 88_000],
  ...elided,
  ...Array.from({ length: 6 }, () => null),
  ...[null, 115_000, 92_000, null, 78_000],
];
