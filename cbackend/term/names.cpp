#include "cbackend/term/names.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <sstream>

namespace atl::cbackend {

using WordSet = std::set<std::string, std::less<>>;

static WordSet words(const char *text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

// INT32_MAX, UINT8_C, FLT_EPSILON, FP_NAN ...: macros of the headers that a caller may have included before
// ours.
static bool is_standard_macro(std::string_view name) {
  for (std::string_view prefix :
       {"INT_",    "INT8",     "INT16",    "INT32",   "INT64",   "INTMAX",   "INTPTR",  "UINT_",  "UINT8",
        "UINT16",  "UINT32",   "UINT64",   "UINTMAX", "UINTPTR", "PTRDIFF_", "WCHAR_",  "WINT_",  "SIG_",
        "CHAR_",   "SCHAR_",   "UCHAR_",   "SHRT_",   "USHRT_",  "LONG_",    "ULONG_",  "LLONG_", "ULLONG_",
        "FLT_",    "DBL_",     "LDBL_",    "FP_",     "MATH_",   "EXIT_",    "ATOMIC_", "LC_",    "SEEK_",
        "TIME_",   "DECIMAL_", "HUGE_VAL", "M_",      "ATL_",    "SNAN",     "BOOL_",   "FE_",    "CLOCK_",
        "CLOCKS_", "PRId",     "PRIi",     "PRIo",    "PRIu",    "PRIx",     "PRIX",    "SCNd",   "SCNi",
        "SCNo",    "SCNu",     "SCNx"})
    if (name.size() > prefix.size() && name.starts_with(prefix))
      return true;
  return name.ends_with("_MAX") || name.ends_with("_MIN");
}

bool is_reserved_word(std::string_view name) {
  static const WordSet reserved = words(R"(
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class compl
    concept const consteval constexpr constinit const_cast continue co_await co_return co_yield decltype default delete
    do double dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable
    namespace new noexcept not not_eq nullptr operator or or_eq private protected public register reinterpret_cast
    requires restrict return short signed sizeof static static_assert static_cast struct switch template this
    thread_local throw true try typedef typeid typename typeof typeof_unqual union unsigned using virtual void volatile
    wchar_t while xor xor_eq

    int8_t uint8_t int16_t uint16_t int32_t uint32_t int64_t uint64_t size_t ptrdiff_t intptr_t uintptr_t
    free main
    I NULL EOF INFINITY NAN HUGE_VAL CHAR_BIT RAND_MAX SIZE_MAX errno assert complex imaginary noreturn
    stdin stdout stderr linux unix i386 BUFSIZ EDOM EILSEQ ERANGE MB_CUR_MAX MB_LEN_MAX math_errhandling
    BIG_ENDIAN LITTLE_ENDIAN PDP_ENDIAN BYTE_ORDER FD_SETSIZE NFDBITS L_ctermid L_tmpnam P_tmpdir MAX_CANON MAX_INPUT
    PIPE_BUF PTHREAD_DESTRUCTOR_ITERATIONS TIMER_ABSTIME WCONTINUED WEOF WEXITED WNOHANG WNOWAIT WSTOPPED WUNTRACED
  )");
  return reserved.contains(name) || is_standard_macro(name) || name.starts_with("atl_") ||
         name.starts_with("__") ||
         (name.size() > 1 && name[0] == '_' && std::isupper(static_cast<unsigned char>(name[1])));
}

bool is_library_function(std::string_view name) {
  static const WordSet functions = words(R"(
    abort abs acos acosf acosh acoshf acosl aligned_alloc asctime asin asinf asinh asinhf asinl at_quick_exit atan atan2
    atan2f atanf atanh atanhf atanl atexit atof atoi atol atoll bsearch cabs cabsf calloc carg cbrt cbrtf ceil ceilf
    ceill cexp cimag clearerr clock clog conj copysign copysignf copysignl cos cosf cosh coshf cosl cpow creal csin csqrt
    ctime difftime div erf erfc erfcf erff exit exp exp2 exp2f expf expl expm1 expm1f fabs fabsf fabsl fclose fdim fdimf
    feof ferror fflush fgetc fgetpos fgets floor floorf floorl fma fmaf fmal fmax fmaxf fmaxl fmin fminf fminl fmod fmodf
    fmodl fopen fprintf fputc fputs fread freopen frexp frexpf fscanf fseek fsetpos ftell fwrite getc getchar getenv gets
    gmtime hypot hypotf ilogb ilogbf imaxabs imaxdiv isalnum isalpha isascii isblank iscntrl isdigit isgraph islower
    isprint ispunct isspace isupper isxdigit labs ldexp ldexpf ldexpl ldiv lgamma lgammaf llabs lldiv llrint llround
    localeconv localtime log log10 log10f log1p log1pf log2 log2f logb logbf logf logl longjmp lrint lrintf lround lroundf
    malloc mblen mbstowcs mbtowc memchr memcmp memcpy memmove memset mktime modf modff nan nanf nearbyint nearbyintf
    nextafter nextafterf perror pow powf powl printf putc putchar puts qsort quick_exit raise rand realloc remainder
    remainderf remove remquo rename rewind rint rintf round roundf roundl scalbln scalbn scanf setbuf setjmp setlocale
    setvbuf signal signbit sin sinf sinh sinhf sinl snprintf sprintf sqrt sqrtf sqrtl srand sscanf strcat strchr strcmp
    strcoll strcpy strcspn strerror strftime strlen strncat strncmp strncpy strpbrk strrchr strspn strstr strtod strtof
    strtok strtol strtold strtoll strtoul strtoull strxfrm system tan tanf tanh tanhf tanl tgamma tgammaf time tmpfile
    FD_CLR FD_ISSET FD_SET FD_ZERO WEXITSTATUS WIFCONTINUED WIFEXITED WIFSIGNALED WIFSTOPPED WSTOPSIG WTERMSIG alloca
    fpclassify isfinite isgreater isgreaterequal isless islessequal islessgreater isnormal isunordered offsetof
    sigsetjmp va_arg va_copy va_end va_start CMPLX CMPLXF CMPLXL be16toh be32toh be64toh htobe16 htobe32 htobe64 htole16
    htole32 htole64 le16toh le32toh le64toh
    tmpnam tolower toupper trunc truncf truncl ungetc vfprintf vprintf vsnprintf vsprintf wcslen wctomb

    accept access alarm bcmp bcopy bind bzero chdir chmod chown close closedir connect creat daemon dirfd dlclose dlopen
    dlsym drem dup dup2 encrypt environ err error execl execv execve ffs fileno finite fork fstat fsync ftruncate gamma
    getopt getpid getuid hash ident index initstate insque ioctl isatty isinf isnan j0 j1 jn kill link listen lockf lseek
    lstat mkdir mkstemp mknod mmap mount mprotect munmap nanosleep nice open opendir optarg optind pause pipe poll popen
    pclose pow10 pread pwrite quotactl random read readdir readlink readv recv reboot regcomp regexec rindex rmdir sbrk
    scalb select send setenv sendfile shutdown sigaction significand sleep socket splice srandom stat statfs stime
    strdup strsep swab swapon swapoff symlink sync syscall tee tell timezone truncate ttyname tzname tzset umask umount
    uname unlink unsetenv usleep utime vfork wait waitpid warn warnx write writev y0 y1 yn _exit
  )");
  return functions.contains(name) || name.starts_with("omp_") || name.starts_with("_mm") ||
         name.starts_with("__");
}

bool is_system_library(std::string_view name) {
  static const WordSet libraries = words(R"(
    BrokenLocale anl asan atomic c crypt dl gcc gcc_eh gcc_s gcov gfortran gomp hwasan itm lsan m mvec nsl
    pthread quadmath resolv rt ssp stdc tsan ubsan util
  )");
  return libraries.contains(name);
}

bool is_system_header(std::string_view stem) {
  static const WordSet headers = words(R"(
    assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg stdatomic stdbit
    stdbool stdckdint stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype

    aio aliases alloca ar argp argz byteswap cpio crypt dirent dlfcn elf endian envz err error execinfo fcntl features fmtmsg
    fnmatch fpu_control fstab fts ftw gconv getopt glob gnu-versions grp gshadow iconv ieee754 ifaddrs langinfo libgen libintl
    limits link malloc mcheck memory mntent monetary mqueue ndbm netdb nl_types nss obstack omp paths poll printf proc_service
    pthread pty pwd re_comp regex regexp resolv sched search semaphore sgtty shadow spawn stab stdc-predef strings stropts
    syscall sysexits syslog tar termio termios thread_db ttyent ucontext ulimit unistd utime utmp utmpx values varargs wait
    wordexp xlocale zconf zlib
  )");
  return headers.contains(stem);
}

std::string c_identifier(std::string_view text) {
  std::string result(text);
  for (char &c : result)
    if (!std::isalnum(static_cast<unsigned char>(c)) || static_cast<unsigned char>(c) > 127)
      c = '_';
  if (result.empty() || std::isdigit(static_cast<unsigned char>(result[0])))
    result.insert(result.begin(), '_');
  return result;
}

std::string upper_case(std::string_view identifier) {
  std::string result(identifier);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return result;
}

std::string c_name_of(const std::string &name) {
  const std::string identifier = c_identifier(name); // y.o becomes y_o
  const std::string candidate = is_reserved_word(identifier) ? identifier + "_" : identifier;
  return is_reserved_word(candidate) ? "v_" + identifier : candidate; // reserved for how it begins
}

std::string NameScope::claim(const std::string &name) {
  const std::string candidate = c_name_of(name);
  std::string unique = candidate;
  for (int copy = 2; taken_.contains(unique); ++copy)
    unique = candidate + "_" + std::to_string(copy);
  taken_.insert(unique);
  return unique;
}

std::string NameScope::claim(const std::string &name, const std::string &suffix) {
  std::string unique = name + "_" + suffix;
  for (int copy = 2; taken_.contains(unique); ++copy)
    if (const std::string numbered = name + "_" + std::to_string(copy); !taken_.contains(numbered))
      unique = numbered + "_" + suffix;
  taken_.insert(unique);
  return unique;
}

} // namespace atl::cbackend
