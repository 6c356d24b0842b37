namespace Strata.Tests.Tidy;

/// <summary>Every rule that the sources are held to and that no analyzer has.</summary>
internal static class TidyRules
{
    public static IReadOnlyList<TidyRule> All { get; } =
    [
        new("Short_methods", $"a method has at most {SyntaxRules.MaxMethodLines} lines", SyntaxRules.LongMethods),
        new("Short_files", $"a file has at most {TextRules.MaxFileLines} lines", TextRules.LongFiles),
        new("Short_lines", $"a line has at most {TextRules.MaxColumns} columns", TextRules.LongLines),
        new("No_tabs", "indentation is made of blanks", TextRules.Tabs),
        new("No_machine_paths", "nothing names a folder that only one machine has", TextRules.MachinePaths),
        new("No_unfinished_marks", "what is committed is finished", TextRules.UnfinishedMarks),
        new("Scripts_can_run", "scripts have the executable bit", TextRules.ScriptsThatCannotRun),
        new("No_partial_by_hand", "a type stands in one file, whole", SyntaxRules.PartialByHand),
        new("No_empty_catch", "what is caught is handled or said", SyntaxRules.EmptyCatches),
        new("One_public_type_per_file", "a file is named after the type it holds", SyntaxRules.SeveralTypesPerFile),
        new("Public_types_documented", "storage and server document their public types", SyntaxRules.UndocumentedTypes),
        new("Namespaces_follow_folders", "file-scoped namespaces follow the folders", LayoutRules.StrayNamespaces),
        new("Storage_stands_alone", "storage never references the server", LayoutRules.StorageThatKnowsTheServer),
        new("Knowledge_has_one_direction", "a folder knows only those below it", FolderRules.UpwardKnowledge),
        new("No_waits_on_the_data_path", "nothing on a worker waits or locks", LayoutRules.WaitsOnTheDataPath),
        new("Repeatable_runs", "time and random numbers come from the platform", LayoutRules.Unrepeatable),
        new("No_linq_on_the_data_path", "nothing on a worker allocates by LINQ", LayoutRules.LinqOnTheDataPath),
    ];
}
