// What     The line reader on files of every awkward kind.
#include "os/line_reader.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "temporary_folder.h"

namespace {

using tierup::os::LineReader;
using tierup::testing::TemporaryFolder;

std::vector<std::string> lines_of(const std::string& text) {
    const TemporaryFolder folder;
    LineReader reader(folder.write("file", text).c_str());
    std::vector<std::string> lines;
    while (const char* line = reader.try_read_line()) {
        lines.emplace_back(line);
    }
    EXPECT_EQ(reader.try_read_line(), nullptr);
    return lines;
}

TEST(LineReader, gives_each_line_and_the_last_one_without_newline) {
    EXPECT_EQ(lines_of("a\n\nbc\n"), (std::vector<std::string>{"a", "", "bc"}));
    EXPECT_EQ(lines_of("a\nbc"), (std::vector<std::string>{"a", "bc"}));
    EXPECT_EQ(lines_of(""), std::vector<std::string>{});
}

TEST(LineReader, reads_on_over_many_buffers) {
    std::string text;
    std::vector<std::string> expected;
    for (int i = 0; i < 2000; ++i) {
        expected.push_back("line number " + std::to_string(i) + std::string(static_cast<std::size_t>(i % 97), '.'));
        text += expected.back() + "\n";
    }
    EXPECT_EQ(lines_of(text), expected);
}

TEST(LineReader, skips_a_line_that_is_longer_than_the_buffer_and_nothing_else) {
    for (const std::size_t length : {4095u, 4096u, 4097u, 8192u, 20'000u}) {
        const std::string longest(length, 'x');
        const auto lines = lines_of("before\n" + longest + "\nafter\n");
        ASSERT_GE(lines.size(), 2u) << length;
        EXPECT_EQ(lines.front(), "before");
        EXPECT_EQ(lines.back(), "after");
        EXPECT_EQ(lines.size(), length < 4096 ? 3u : 2u) << length;
        EXPECT_EQ(lines_of(longest), length < 4096 ? std::vector<std::string>{longest} : std::vector<std::string>{}) << length;
    }
}

TEST(LineReader, a_file_that_is_not_there_has_no_lines) {
    LineReader reader("/no/such/file");
    EXPECT_EQ(reader.try_read_line(), nullptr);
}

}  // namespace
