import { DataArtifacts, minimizeArtifacts, TextArtifacts, toText, type Artifact } from "a2a-typed/session";
import { describe, expect, it } from "vitest";
import { employeeColumns, employees, printedDepartments, salaries } from "./seed-data.js";

describe("TextArtifacts.view", () => {
  const log = "[INFO] Server started\n[INFO] Connected to DB\n[WARN] Cache miss\n[INFO] Request OK";

  it("reproduces the samples of the document", () => {
    expect(TextArtifacts.view(log, { lineStart: 1, lineEnd: 2 })).toBe(
      "[INFO] Server started\n[INFO] Connected to DB",
    );
    expect(TextArtifacts.view("Hello, World!", { characterStart: 0, characterEnd: 5 })).toBe("Hello");
  });

  it("takes open ranges, and counts from the end where negative", () => {
    expect(TextArtifacts.view(log)).toBe(log);
    expect(TextArtifacts.view(log, { lineStart: null, lineEnd: null, characterStart: null })).toBe(log);
    expect(TextArtifacts.view(log, { lineStart: -1 })).toBe("[INFO] Request OK");
    expect(TextArtifacts.view(log, { lineEnd: -3 })).toBe("[INFO] Server started\n[INFO] Connected to DB");
    expect(TextArtifacts.view("Hello", { characterStart: -2 })).toBe("lo");
  });

  it("refuses both kinds at once, ranges that are not there, and more than the limit", () => {
    expect(() => TextArtifacts.view(log, { lineStart: 1, characterEnd: 3 })).toThrow(/not by both/);
    for (const range of [{ lineStart: 0 }, { lineEnd: 5 }, { lineStart: 3, lineEnd: 2 }, { lineStart: -5 }]) {
      expect(() => TextArtifacts.view(log, range)).toThrow(/has lines 1-4/);
    }
    expect(() => TextArtifacts.view("x".repeat(1_001), { characterLimit: 1_000 })).toThrow(
      /1,001 characters, more than the limit of 1,000/,
    );
    expect(() => TextArtifacts.view("x".repeat(50_001))).toThrow(/limit of 50,000/);
  });
});

describe("TextArtifacts.minimize", () => {
  it("leaves a short text as it is", () => {
    expect(TextArtifacts.minimize("Hello, world!")).toEqual({ text: "Hello, world!" });
    expect(TextArtifacts.minimize("x".repeat(50_000))).toEqual({ text: "x".repeat(50_000) });
  });

  it("reproduces the sample of the document; the x are abridged there", () => {
    const half = "x".repeat(25_000);
    expect(TextArtifacts.minimize("x".repeat(60_000))).toEqual({
      text: `${half}\n\n[... 10,000 characters omitted ...]\n\n${half}`,
      _total_lines: 1,
      _total_characters: 60_000,
      _start_line_range: "1-1",
      _end_line_range: "1-1",
      _start_character_range: "0-25000",
      _end_character_range: "35000-60000",
    });
  });

  it("names the lines of both ends, which view gives again", () => {
    const text = Array.from({ length: 100 }, (_, i) => `line ${i + 1}`).join("\n");
    const minimized = TextArtifacts.minimize(text, { characterLimit: 40, tip: "Look closer." });
    expect(minimized).toMatchObject({
      text: "line 1\nline 2\nline 3\n\n[... 751 characters omitted ...]\n\n 98\nline 99\nline 100",
      _total_lines: 100,
      _start_line_range: "1-3",
      _end_line_range: "98-100",
      _tip: "Look closer.",
    });
    expect(TextArtifacts.view(text, { lineStart: 98, lineEnd: 100 })).toBe("line 98\nline 99\nline 100");
  });

  it("never cuts a character in two", () => {
    const { text } = TextArtifacts.minimize("😀".repeat(50), { characterLimit: 10 });
    expect(text).toBe("😀😀\n\n[... 92 characters omitted ...]\n\n😀😀");
    expect(Buffer.from(text).toString()).toBe(text);
  });
});

describe("DataArtifacts.view", () => {
  const data = {
    employees: [
      { name: "Alice", department: "Engineering", level: 5 },
      { name: "Bob", department: "Design", level: 3 },
      { name: "Carol", department: "Engineering", level: 4 },
    ],
    "a.b": { c: [1, 2, 3] },
  };

  it("reproduces the sample of the document", () => {
    expect(
      DataArtifacts.view(data, { jsonPath: "employees", rows: "0-2", columns: ["name", "department"] }),
    ).toEqual([
      { name: "Alice", department: "Engineering" },
      { name: "Bob", department: "Design" },
    ]);
  });

  it.each([
    [{ rows: 1, columns: "name" }, [{ name: "Bob" }]],
    [{ rows: "-1", columns: "name" }, [{ name: "Carol" }]],
    [{ rows: [2, 0], columns: "name" }, [{ name: "Carol" }, { name: "Alice" }]],
    [{ rows: "1-", columns: ["level"] }, [{ level: 3 }, { level: 4 }]],
    [{ rows: "all" }, data.employees],
    [{ columns: "all" }, data.employees],
  ])("%j", (selection, expected) => {
    expect(DataArtifacts.view(data.employees, selection)).toEqual(expected);
  });

  it("finds names that have dots", () => {
    expect(DataArtifacts.view(data, { jsonPath: "a.b.c", rows: "1" })).toEqual([2]);
    expect(DataArtifacts.view(data)).toBe(data);
  });

  it.each([
    [{ jsonPath: "employes" }, /no employes; there are employees, a\.b/],
    [{ jsonPath: "employees.name" }, /no name in a list: use rows and columns/],
    [{ jsonPath: "constructor" }, /no constructor/],
    [{ rows: "0" }, /an object: give the jsonPath of a list/],
    [{ jsonPath: "employees", rows: "3" }, /no row 3: the list has 3 rows/],
    [{ jsonPath: "employees", rows: "0-4" }, /no range 0-4/],
    [{ jsonPath: "employees", rows: "first" }, /"first" is no index/],
    [{ jsonPath: "employees", columns: "salary" }, /no salary; there are name, department, level/],
    [{ jsonPath: "a.b.c", columns: "x" }, /use rows alone/],
    [{ characterLimit: 10 }, /more than the limit of 10/],
  ])("refuses %j and says what there is", (selection, message) => {
    expect(() => DataArtifacts.view(data, selection)).toThrow(message);
  });
});

describe("DataArtifacts.minimize", () => {
  const report = (departments?: string[]) => ({
    title: "Quarterly Report Q4 2025",
    summary: "x".repeat(10_000),
    metrics: { revenue: 1_250_000, growth: 12.5 },
    employees: employees(departments),
    tags: ["finance", "quarterly", "internal"],
  });

  it("reproduces the sample of the document, for the departments that it prints", () => {
    expect(
      DataArtifacts.minimize(report(printedDepartments), {
        characterLimit: 100,
        minimizedObjectStringLength: 10,
      }),
    ).toEqual({
      data: {
        title: "Quarterly ... [14 more chars]",
        summary: "xxxxxxxxxx... [9,990 more chars]",
        metrics: { revenue: 1_250_000, growth: 12.5 },
        employees: { _total_rows: 100, _columns: employeeColumns, _json_path: "employees" },
        tags: ["finance", "quarterly", "internal"],
      },
    });
  });

  it("differs for the departments of the document's input where their lengths do", () => {
    const { data } = DataArtifacts.minimize(report(), {
      characterLimit: 100,
      minimizedObjectStringLength: 10,
    });
    const [name, department, salary] = (data as { employees: { _columns: unknown[] } }).employees._columns;
    expect([name, salary]).toEqual([employeeColumns[0], employeeColumns[2]]);
    expect(department).toMatchObject({
      unique_count: 4,
      types: [{ sample_value: "Eng", length_minimum: 3, length_maximum: 9, length_average: 5.75 }],
    });
  });

  it("leaves alone what is short, and what would not get shorter", () => {
    for (const data of [{ a: 1 }, [], 42, null, "text", [1, 2]]) {
      expect(DataArtifacts.minimize(data)).toEqual({ data });
    }
    expect(DataArtifacts.minimize([{ a: 1 }, { a: 2 }], { characterLimit: 5 })).toEqual({
      data: [{ a: 1 }, { a: 2 }],
    });
    expect(DataArtifacts.minimize({ key: "short" }, { characterLimit: 5, tip: "Look." })).toEqual({
      data: { key: "short" },
    });
  });

  it("summarizes lists, with their path where they are inside of an object, and cuts texts", () => {
    const values = Array.from({ length: 200 }, (_, i) => `value number ${i}`);
    expect(DataArtifacts.minimize(values, { characterLimit: 100, tip: "Look." })).toMatchObject({
      data: { _total_items: 200, _summary: { count: 200, unique_count: 200 }, _tip: "Look." },
    });
    expect(DataArtifacts.minimize({ a: { b: values } }, { characterLimit: 100 })).toMatchObject({
      data: { a: { b: { _total_items: 200, _json_path: "a.b" } } },
    });
    expect(DataArtifacts.minimize("x".repeat(200), { characterLimit: 100 })).toMatchObject({
      _total_characters: 200,
    });
  });

  it("does not follow an object down forever", () => {
    let deep: unknown = "x".repeat(2_000);
    for (let level = 0; level < 50; level++) deep = { deep };
    expect(JSON.stringify(DataArtifacts.minimize(deep, { characterLimit: 100 }))).toContain('"..."');
  });
});

describe("DataArtifacts.summarizeTable and summarizeValues", () => {
  it("reproduces the sample of the document, for the departments that it prints", () => {
    expect(DataArtifacts.summarizeTable(employees(printedDepartments))).toEqual(employeeColumns);
  });

  it("reproduces the sample of the document for salaries, most of which it leaves out", () => {
    expect(DataArtifacts.summarizeValues(salaries)).toEqual({
      count: 100,
      unique_count: 87,
      types: [
        {
          name: "int",
          count: 92,
          percentage: 92,
          sample_value: 95_000,
          minimum: 45_000,
          maximum: 185_000,
          average: 87_250.5,
          stdev: 28_430.12,
        },
        { name: "null", count: 8, percentage: 8, sample_value: null },
      ],
    });
  });

  it("shows the values of a column that is short, and the table where the summary would be longer", () => {
    const rows = Array.from({ length: 50 }, (_, i) => ({
      text: `row number ${i}`,
      ...(i === 7 && { rare: 1 }),
    }));
    expect(DataArtifacts.summarizeTable(rows)).toMatchObject([
      { name: "text", count: 50 },
      { name: "rare", values: [1] },
    ]);
    expect(DataArtifacts.summarizeTable([{ a: 1 }])).toEqual([{ a: 1 }]);
    expect(DataArtifacts.summarizeTable([])).toEqual([]);
  });

  it("counts types apart, objects by their content", () => {
    const values = Array.from(
      { length: 800 },
      (_, i) => [1, 1.5, true, null, "a", [1, 2], { a: 1, b: 2 }, { b: 2, a: 1 }][i % 8],
    );
    expect(DataArtifacts.summarizeValues(values)).toMatchObject({
      count: 800,
      unique_count: 7,
      types: [
        { name: "object", count: 200, percentage: 25, json_length_minimum: 13, json_length_stdev: 0 },
        { name: "int", count: 100, percentage: 12.5, minimum: 1, stdev: 0 },
        { name: "float", average: 1.5 },
        { name: "bool", sample_value: true },
        { name: "null", sample_value: null },
        { name: "string", length_average: 1 },
        { name: "list", length_maximum: 2 },
      ],
    });
    expect(DataArtifacts.summarizeValues([])).toEqual({ count: 0, types: [] });
    expect(DataArtifacts.summarizeValues([1, 2])).toEqual([1, 2]);
  });
});

describe("minimizeArtifacts", () => {
  const artifacts: Artifact[] = [
    {
      artifactId: "art-123",
      description: "Full text of a research paper abstract spanning several pages.",
      name: "Research Paper Abstract",
      parts: [{ kind: "text", text: "x".repeat(60_000) }],
    },
    {
      artifactId: "art-456",
      description: "Company employee directory with names, departments, and salaries.",
      name: "Employee Directory",
      parts: [{ kind: "data", data: employees(printedDepartments) }],
    },
    {
      artifactId: "art-789",
      description: "Generated quarterly financial report in PDF format.",
      name: "Quarterly Report",
      parts: [
        {
          kind: "file",
          file: { name: "q4-report.pdf", mimeType: "application/pdf", bytes: "base64encodeddata..." },
        },
      ],
    },
  ];
  const tips = {
    textTip: "Text was minimized. Call viewTextArtifact() to see specific line ranges.",
    dataTip: "Data was minimized. Call viewDataArtifact() to navigate to specific data.",
  };
  const saved = ["./storage/files/task-123/art-789/q4-report.pdf"];

  it("reproduces the sample of the document; there the text, its numbers and the columns are abridged", () => {
    const half = "x".repeat(25_000);
    expect(minimizeArtifacts(artifacts, { ...tips, savedFilePaths: { "art-789": saved } })).toEqual([
      {
        artifactId: "art-123",
        description: "Full text of a research paper abstract spanning several pages.",
        name: "Research Paper Abstract",
        parts: [
          {
            kind: "text",
            text: `${half}\n\n[... 10,000 characters omitted ...]\n\n${half}`,
            _total_lines: 1,
            _total_characters: 60_000,
            _start_line_range: "1-1",
            _end_line_range: "1-1",
            _start_character_range: "0-25000",
            _end_character_range: "35000-60000",
            _tip: tips.textTip,
          },
        ],
      },
      {
        artifactId: "art-456",
        description: "Company employee directory with names, departments, and salaries.",
        name: "Employee Directory",
        parts: [
          {
            kind: "data",
            data: { data: { _total_rows: 100, _columns: employeeColumns, _tip: tips.dataTip } },
          },
        ],
      },
      {
        artifactId: "art-789",
        description: "Generated quarterly financial report in PDF format.",
        name: "Quarterly Report",
        parts: [
          {
            kind: "file",
            name: "q4-report.pdf",
            mimeType: "application/pdf",
            uri: null,
            bytes: { _saved_to: saved },
          },
        ],
      },
    ]);
  });

  it("leaves data as it is where everything together is within the limit, and where a summary is not shorter", () => {
    expect(minimizeArtifacts(artifacts.slice(1, 2))[0]?.parts).toEqual([
      { kind: "data", data: employees(printedDepartments) },
    ]);
    const small: Artifact = { artifactId: "a", parts: [{ kind: "data", data: { a: 1 } }] };
    const parts = minimizeArtifacts([...artifacts, small], tips)[3]?.parts;
    expect(parts).toEqual([{ kind: "data", data: { a: 1 } }]);
  });

  it("puts text together, and tells of files that nobody saved", () => {
    const [one] = minimizeArtifacts([
      {
        artifactId: "a",
        parts: [
          { kind: "text", text: "one " },
          { kind: "file", file: { bytes: "aGk=" } },
          { kind: "text", text: "two" },
          { kind: "file", file: { uri: "https://example.com/a.png", mimeType: "image/png" } },
        ],
      },
    ]);
    expect(one).toEqual({
      artifactId: "a",
      description: null,
      name: null,
      parts: [
        { kind: "text", text: "one two" },
        {
          kind: "file",
          name: null,
          mimeType: null,
          uri: null,
          bytes: { _error: expect.stringContaining("no file store") },
        },
        { kind: "file", name: null, mimeType: "image/png", uri: "https://example.com/a.png", bytes: null },
      ],
    });
  });

  it("takes artifacts in the shape of 1.0 as well", () => {
    const [one] = minimizeArtifacts([
      {
        artifactId: "a",
        parts: [{ text: "hi" }, { data: [1] }, { raw: "aGk=", filename: "hi.txt", mediaType: "text/plain" }],
      },
    ]);
    expect(one?.parts).toMatchObject([
      { kind: "text", text: "hi" },
      { kind: "data", data: [1] },
      { kind: "file", name: "hi.txt", mimeType: "text/plain" },
    ]);
  });
});

describe("toText", () => {
  it("has every part of a task, of either generation", () => {
    expect(
      toText({
        id: "1",
        status: { state: "TASK_STATE_COMPLETED" },
        artifacts: [
          { artifactId: "a", parts: [{ text: "one " }, { text: "two" }, { data: { total: 3 } }] },
          { artifactId: "b", parts: [{ url: "https://example.com/a.png", mediaType: "image/png" }] },
        ],
      }),
    ).toBe('one two\n{"total":3}\n\n[file image/png, https://example.com/a.png]');
    expect(
      toText({
        kind: "task",
        id: "1",
        contextId: "c",
        status: {
          state: "input-required",
          message: {
            kind: "message",
            messageId: "m",
            role: "agent",
            parts: [{ kind: "text", text: "Which?" }],
          },
        },
      }),
    ).toBe("Which?");
  });
});
