// What     Tells whether code belongs to a version whose node and tier are known already: one copy instead of a query of the DAC.
// What not Knows no layout: where a node keeps its code address is learnt from nodes and code addresses that the DAC listed together.
// Threads  Any; learning and using may overlap.
// Failure  Says "not known" until the place was seen kMinSamples times and nothing ever disagreed; one disagreement ends it for good.
// Source   dotnet/runtime src/coreclr/vm/codeversion.h, NativeCodeVersionNode::m_pNativeCode. Nodes of methods that can't unload are never freed.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/code_version.h"
#include "memory/reader.h"

namespace tierup::runtime {

class VersionNodes {
public:
    constexpr VersionNodes() noexcept = default;

    /// Compares the nodes in a list with their code addresses.
    void learn_from(const memory::Reader& reader, const CodeVersionList& versions) noexcept;

    /// True: the version at `node` has exactly this code.
    [[nodiscard]] bool has_code(const memory::Reader& reader, Address node, Address code) const noexcept;

private:
    static constexpr std::uint32_t kMinSamples = 2;
    static constexpr std::uint32_t kEnoughSamples = 16;  ///< After these nothing more is compared.
    static constexpr std::uint32_t kNodeWords = 8;       ///< How far into a node its code address is looked for.
    static constexpr std::uint32_t kAllWords = (1u << kNodeWords) - 1;

    /// Bit i: word i has held the code address in every sample so far.
    std::atomic<std::uint32_t> possible_words_ = kAllWords;
    std::atomic<std::uint32_t> samples_ = 0;
};

}  // namespace tierup::runtime
